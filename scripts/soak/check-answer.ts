import type { Failure, ResultItem } from '../../test/conformance/support/client.ts';
import type { Told } from './account-book.ts';
import type { CompressRequest } from './compress-request.ts';
import type { Reply } from './send-request.ts';
import type { Verdict } from './verdict.ts';

/** Failures that are the service's own: any file may have them. */
const OURS = ['processing_failed', 'service_busy'];

/** Reads an answer of 200 and holds it against what was sent. */
export function checkAnswer(
  name: string,
  request: CompressRequest,
  { body, headers }: Reply & { kind: 'answer' },
  verdict: Verdict,
): (Told & { readonly items: readonly ResultItem[] }) | undefined {
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
  return { items, processed: items.length, described, outcomes: outcomesOf(request, items, failures) };
}

/** The links may be signed anew; everything else about a file that is done or refused stays as it was told. */
function outcomesOf(
  { files }: CompressRequest,
  items: readonly ResultItem[],
  failures: readonly Failure[],
): (string | undefined)[] {
  const failed = new Map(failures.map(({ index, error }) => [index, error]));
  const done = items.values();
  return files.map((_, index) => {
    const error = failed.get(index);
    if (error !== undefined) return OURS.includes(error) ? undefined : error;
    const item = done.next().value;
    return item && JSON.stringify([item.newName, item.optimizedSize, item.altText]);
  });
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
