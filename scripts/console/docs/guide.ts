import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Marked } from 'marked';
import { placeTables } from '../../readme/fill-tables.ts';

/** A page of docs/guides. */
export interface Guide {
  readonly slug: string;
  readonly title: string;
  /** Markdown with its tables filled in. */
  readonly text: string;
  readonly html: string;
  readonly headings: readonly Heading[];
}

export interface Heading {
  readonly id: string;
  readonly text: string;
}

/** The order in which they are read. */
export const guideOrder = [
  'quick-start',
  'batches-and-limits',
  'live-results',
  'ai-texts',
  'errors',
  'idempotency',
  'self-hosting',
] as const;

/** All guides. @throws Error when a file of the folder has no place in the order, or one of the order is missing */
export async function readGuides(root: string): Promise<readonly Guide[]> {
  const folder = join(root, 'docs/guides');
  const found = (await readdir(folder)).map((name) => name.replace(/\.md$/, ''));
  const unplaced = found.filter((slug) => !guideOrder.some((known) => known === slug));
  if (unplaced.length > 0) throw new Error(`guideOrder has no place for ${unplaced.join(', ')}.`);
  return Promise.all(guideOrder.map(async (slug) => toGuide(slug, await readFile(join(folder, `${slug}.md`), 'utf8'))));
}

function toGuide(slug: string, source: string): Guide {
  const text = placeTables(source);
  const headings: Heading[] = [];
  return { slug, title: /^# (.+)$/m.exec(text)?.[1] ?? slug, text, html: markdown(text, headings), headings };
}

/** Markdown of ours as HTML: headings can be linked to, tables scroll by themselves, code can be copied. */
export function markdown(text: string, headings: Heading[] = []): string {
  const marked = new Marked({
    renderer: {
      heading({ tokens, depth }) {
        const inner = this.parser.parseInline(tokens);
        const words = inner.replace(/<[^>]+>/g, '');
        const id = anchorOf(words);
        if (depth === 2) headings.push({ id, text: words });
        return depth === 1 ? `<h1>${inner}</h1>\n` : `<h${depth} id="${id}">${inner}</h${depth}>\n`;
      },
      code({ text: code, lang }) {
        return codeBlock(code, lang ?? '');
      },
      table(token) {
        const cells = (row: typeof token.header, tag: string) =>
          row.map((cell) => `<${tag}>${this.parser.parseInline(cell.tokens)}</${tag}>`).join('');
        const rows = token.rows.map((row) => `<tr>${cells(row, 'td')}</tr>`).join('\n');
        return `<div class="table" tabindex="0" role="group" aria-label="Table"><table><thead><tr>${cells(token.header, 'th')}</tr></thead><tbody>${rows}</tbody></table></div>\n`;
      },
    },
  });
  return marked.parse(text, { async: false });
}

const languages: Readonly<Record<string, string>> = { sh: 'Shell', js: 'JavaScript', json: 'JSON', text: 'Events' };

/** Code with its language; the script adds a button that copies it. */
export function codeBlock(code: string, language: string): string {
  return `<figure class="code" data-language="${escapeHtml(language)}"><figcaption>${escapeHtml(languages[language] ?? language)}</figcaption><pre tabindex="0"><code>${escapeHtml(code)}</code></pre></figure>\n`;
}

export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`);
}

export function anchorOf(words: string): string {
  return words
    .toLowerCase()
    .replace(/&#?\w+;/g, '')
    .replace(/[^\p{L}\p{N}]+/gu, '-')
    .replace(/^-|-$/g, '');
}
