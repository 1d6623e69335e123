import { type Call, type MediaType, type OpenApiDocument, resolved, type Section, sectionsOf } from './document.ts';
import { codeBlock, escapeHtml, markdown } from './guide.ts';
import { type FieldRow, schemaRows } from './schema-rows.ts';
import { accessOf, curlSnippet, exampleOf, scriptSnippet } from './snippet.ts';

const accessTexts = {
  key: 'API key or session',
  admin: 'Operator’s token or session',
  session: 'Session only',
  open: 'No key needed',
} as const;

/** Every call of the interface, by section. */
export function referenceHtml(document: OpenApiDocument): string {
  const sections = sectionsOf(document);
  return `<h1>API reference</h1>\n${markdown(document.info.description ?? '')}
<p>The same for programs: <a href="/openapi.json">openapi.json</a>.</p>
${sections.map((section) => sectionHtml(section, document)).join('\n')}`;
}

export function sectionAnchor({ name }: Pick<Section, 'name'>): string {
  return `section-${name.toLowerCase().replace(/\W+/g, '-')}`;
}

function sectionHtml(section: Section, document: OpenApiDocument): string {
  return `<section class="calls"><h2 id="${sectionAnchor(section)}">${escapeHtml(section.name)}</h2>
${markdown(section.description)}
${section.calls.map((call) => callHtml(call, document)).join('\n')}</section>`;
}

function callHtml(call: Call, document: OpenApiDocument): string {
  const { method, path, operation } = call;
  const { operationId, summary, description = '' } = operation;
  return `<article class="call" aria-labelledby="${operationId}">
<div class="call-text">
<h3 id="${operationId}"><a href="#${operationId}">${markdownInline(summary)}</a></h3>
<p class="call-line"><span class="method method-${method}">${method.toUpperCase()}</span> <code>${breakable(path)}</code></p>
<p class="access">${accessTexts[accessOf(operation.security)]}</p>
${markdown(description)}
${fields('Parameters', parameterRows(call))}
${bodyFields(call, document)}
${answers(call, document)}
</div>
<div class="call-code">${codeBlock(curlSnippet(call), 'sh')}${script(call)}${answerExample(call)}</div>
</article>`;
}

function script(call: Call): string {
  const snippet = scriptSnippet(call);
  return snippet === undefined ? '' : codeBlock(snippet, 'js');
}

function parameterRows({ operation }: Call): readonly FieldRow[] {
  return (operation.parameters ?? []).map(({ name, in: place, required = false, description = '', schema }) => ({
    name,
    depth: 0,
    type: place,
    required,
    description: [description, schema?.enum && `One of ${schema.enum.map((value) => `\`${value}\``).join(', ')}.`]
      .filter(Boolean)
      .join(' '),
  }));
}

function bodyFields({ operation }: Call, document: OpenApiDocument): string {
  const [type, body] = Object.entries(operation.requestBody?.content ?? {})[0] ?? [];
  if (!body?.schema) return '';
  const title = type === 'multipart/form-data' ? 'Fields of the form' : 'Body';
  return fields(title, schemaRows(body.schema, document));
}

function answers({ operation }: Call, document: OpenApiDocument): string {
  const all = Object.entries(operation.responses);
  const good = all.filter(([status]) => Number(status) < 400);
  const bad = all.filter(([status]) => Number(status) >= 400);
  const goodHtml = good.map(([status, { description, content }]) => {
    const schema = content?.['application/json']?.schema;
    const rows = schema ? schemaRows(resolved(schema, document), document) : [];
    return `<p><span class="status">${status}</span> ${markdownInline(description)}</p>${rows.length > 0 ? fieldTable(rows) : ''}`;
  });
  const badHtml = bad.map(
    ([status, { description }]) =>
      `<tr><th scope="row"><span class="status">${status}</span></th><td>${codes(description)}</td></tr>`,
  );
  const errors = `<details class="errors"><summary>Errors</summary><table><tbody>${badHtml.join('')}</tbody></table><p><a href="/docs/errors/">What they mean</a></p></details>`;
  return `<h4>Answers</h4>${goodHtml.join('')}${bad.length > 0 ? errors : ''}`;
}

/** The document lists an error's codes between middle dots. */
function codes(description: string): string {
  return description
    .split(' · ')
    .map((code) => `<code>${escapeHtml(code)}</code>`)
    .join(' ');
}

function answerExample({ operation }: Call): string {
  const [, good] = Object.entries(operation.responses).find(([status]) => Number(status) < 300) ?? [];
  const body: MediaType | undefined = good?.content?.['application/json'];
  const example = body && exampleOf(body);
  return example === undefined ? '' : codeBlock(JSON.stringify(example, null, 2), 'json');
}

function fields(title: string, rows: readonly FieldRow[]): string {
  return rows.length === 0 ? '' : `<h4>${title}</h4>${fieldTable(rows)}`;
}

function fieldTable(rows: readonly FieldRow[]): string {
  const row = ({ name, depth, type, required, description }: FieldRow) =>
    `<div class="field-row depth-${depth}"><dt><code>${escapeHtml(name)}</code> <span class="type">${escapeHtml(type)}${required ? ', required' : ''}</span></dt><dd>${markdownInline(description)}</dd></div>`;
  return `<dl class="fields">${rows.map(row).join('')}</dl>`;
}

function markdownInline(text: string): string {
  return markdown(text)
    .trim()
    .replace(/^<p>|<\/p>$/g, '');
}

/** A path may be cut after a slash, where it is too long for the line. */
function breakable(path: string): string {
  return escapeHtml(path).replaceAll('/', '/<wbr>');
}
