import { type ApiCall, type ApiContent, type ApiDocument, callsOf } from './document.ts';
import { fieldText, schemaLines, typeText } from './schema-lines.ts';

/** The whole interface as one Markdown text, made from its OpenAPI document. @param baseUrl scheme and authority for the snippets */
export function markdownReference(document: ApiDocument, baseUrl: string): string {
  const { info, tags, components } = document;
  const access = Object.entries(components.securitySchemes).map(
    ([name, { description }]) => `- \`${name}\`: ${description}`,
  );
  const chapters = tags.map(({ name, description }) => {
    const calls = callsOf(document, name).map((call) => callText(call, baseUrl));
    return [`## ${name}`, description, ...calls].join('\n\n');
  });
  const objects = Object.entries(components.schemas).map(([name, schema]) => {
    return [`### ${name}`, schema.description, schemaLines(schema).join('\n')].filter(Boolean).join('\n\n');
  });
  const head = [`# ${info.title} ${info.version}`, info.summary, info.description, '## Access', access.join('\n')];
  return `${[...head, ...chapters, '## Objects', ...objects].join('\n\n')}\n`;
}

function callText(call: ApiCall, baseUrl: string): string {
  const { summary, description, method, path, parameters, responses } = call;
  const entries = Object.entries(responses);
  return [
    `### ${summary}`,
    `\`${method} ${path}\` (${accessText(call)})`,
    description,
    ...titled(
      'Parameters',
      parameters.map(
        (p) => `- ${fieldText(p.name, { ...p.schema, description: p.description }, p.required)} In the ${p.in}.`,
      ),
    ),
    ...Object.entries(call.requestBody?.content ?? {}).flatMap(([type, content]) =>
      bodyText(`Body: \`${type}\``, content),
    ),
    ...snippet(call, baseUrl),
    ...entries.filter(([status]) => Number(status) < 400).flatMap(answerText),
    ...titled(
      'Errors',
      entries
        .filter(([status]) => Number(status) >= 400)
        .map(([status, answer]) => `- ${status}: ${codes(answer.description)}`),
    ),
  ].join('\n\n');
}

function accessText({ security }: ApiCall): string {
  const names = security.flatMap((scheme) => Object.keys(scheme));
  return names.length === 0 ? 'open' : names.join(' or ');
}

function titled(title: string, lines: readonly string[]): string[] {
  return lines.length === 0 ? [] : [`**${title}**`, lines.join('\n')];
}

function bodyText(title: string, { schema }: ApiContent): string[] {
  const lines = schemaLines(schema);
  return [
    `**${title}**${lines.length === 0 ? ` ${typeText(schema)}` : ''}`,
    ...(lines.length === 0 ? [] : [lines.join('\n')]),
  ];
}

function answerText([status, { description, content = {} }]: [string, ApiCall['responses'][string]]): string[] {
  const bodies = Object.entries(content).flatMap(([type, body]) => {
    const [example] = Object.values(body.examples ?? {});
    return [
      ...bodyText(`\`${type}\``, body),
      ...(example === undefined ? [] : [block('json', JSON.stringify(example.value, null, 2))]),
    ];
  });
  return [`**Answer ${status}**: ${description}`, ...bodies];
}

/** The document lists an error's codes between middle dots. */
function codes(description: string): string {
  return description
    .split(' · ')
    .map((code) => `\`${code}\``)
    .join(', ');
}

/** What to paste into a shell; nothing for calls of which no request was recorded, and of browsers. */
function snippet(call: ApiCall, baseUrl: string): string[] {
  const [scheme] = call.security.flatMap((entry) => Object.keys(entry));
  if (scheme === 'session' || call.path.startsWith('/session')) return [];
  const [[type = '', content] = []] = Object.entries(call.requestBody?.content ?? {});
  const example = Object.values(content?.examples ?? {})[0]?.value;
  if (content !== undefined && example === undefined) return [];
  const token = { key: '$PLUME_API_KEY', admin: '$ADMIN_TOKEN' }[scheme ?? ''];
  const parts = [
    `curl${call.method === 'GET' ? '' : ` -X ${call.method}`} '${baseUrl}${call.path}'`,
    ...(token === undefined ? [] : [`-H "Authorization: Bearer ${token}"`]),
    ...(type === 'application/json'
      ? [`-H 'Content-Type: application/json'`, `-d '${JSON.stringify(example)}'`]
      : formParts(example)),
  ];
  return [block('sh', parts.join(' \\\n  '))];
}

function formParts(example: unknown): string[] {
  return Object.entries((example ?? {}) as Record<string, unknown>).flatMap(([name, value]) =>
    Array.isArray(value) ? value.map((file) => `-F '${name}=@${file}'`) : [`-F '${name}=${value}'`],
  );
}

function block(language: string, text: string): string {
  return `\`\`\`${language}\n${text}\n\`\`\``;
}
