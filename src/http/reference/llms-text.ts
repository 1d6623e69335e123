import { type ApiDocument, callsOf } from './document.ts';
import { headingAnchor } from './heading-anchor.ts';

/** A short guide for language models in the form of llmstxt.org: what the service is, and where more is. @param baseUrl scheme and authority */
export function llmsText(document: ApiDocument, baseUrl: string): string {
  const { info, tags } = document;
  const chapters = tags.map(({ name }) => {
    const calls = callsOf(document, name).map(({ summary, method, path, description }) => {
      return `- [${summary}](${baseUrl}/docs.md#${headingAnchor(summary)}): \`${method} ${path}\`. ${firstSentence(description)}`;
    });
    return [`## ${name}`, calls.join('\n')].join('\n\n');
  });
  const documents = [
    `- [Reference](${baseUrl}/docs.md): every call with its fields, answers and errors, in Markdown.`,
    `- [OpenAPI](${baseUrl}/openapi.json): the same for programs.`,
  ];
  const head = [`# ${info.title}`, `> ${info.summary}`, info.description, '## Documents', documents.join('\n')];
  return `${[...head, ...chapters].join('\n\n')}\n`;
}

function firstSentence(text: string): string {
  return /^.*?[.](?=\s|$)/s.exec(text)?.[0] ?? text;
}
