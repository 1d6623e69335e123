import type { Failure, ResultItem } from '../../test/conformance/support/client.ts';
import type { CompressRequest } from './compress-request.ts';
import type { Reply } from './send-request.ts';
import type { Verdict } from './verdict.ts';

/** Failures that are the service's own: any file may have them. */
const OURS = ['processing_failed', 'service_busy'];

interface CheckedAnswer {
  readonly items: readonly ResultItem[];
  /** Images that cost an AI credit. */
  readonly described: number;
  /** The same for every repetition; the links may be signed anew. */
  readonly signature: string;
}

/** Reads an answer of 200 and holds it against what was sent. */
export function checkAnswer(
  name: string,
  request: CompressRequest,
  { body, headers }: Reply & { kind: 'answer' },
  verdict: Verdict,
): CheckedAnswer | undefined {
  const items = readItems(body);
  if (items === undefined) {
    verdict.violation('no answer that can be read', `${name}: ${body.toString().slice(0, 160)}`);
    return undefined;
  }
  const failures = readFailures(headers['x-failed-files']);
  if (items.length + failures.length !== request.files.length) {
    verdict.violation('files missing', `${name}: ${items.length} + ${failures.length} of ${request.files.length}`);
  }
  for (const { index, error } of failures) {
    const file = request.files[index];
    verdict.count(`file: ${OURS.includes(error) ? error : `refused (${file?.is})`}`);
    if (file?.is === 'good' && !OURS.includes(error)) {
      verdict.violation('good file refused', `${name}: ${file.name} ${error}`);
    }
  }
  verdict.count('file: processed', items.length);
  const withoutAi = Number(headers['x-ai-failed'] ?? 0);
  const described = request.described ? items.length - withoutAi : 0;
  const signature = JSON.stringify([items.map((item) => [item.newName, item.optimizedSize, item.altText]), failures]);
  return { items, described, signature };
}

function readItems(body: Buffer): ResultItem[] | undefined {
  try {
    const { data } = JSON.parse(body.toString()) as { data: ResultItem[] };
    return Array.isArray(data) ? data : undefined;
  } catch {
    return undefined;
  }
}

function readFailures(header: string | string[] | undefined): Failure[] {
  return header === undefined ? [] : (JSON.parse(decodeURIComponent(String(header))) as Failure[]);
}
