import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { openapi } from '../../../src/http/openapi.ts';
import { type OpenApiDocument, type OperationObject, sectionsOf } from './document.ts';
import { type Guide, readGuides } from './guide.ts';
import { type NavGroup, pageHtml } from './page.ts';
import { referenceHtml, sectionAnchor } from './reference.ts';

const referenceAddress = '/docs/api/';

/** One thing that the search finds. */
interface SearchEntry {
  readonly title: string;
  readonly page: string;
  readonly address: string;
  readonly text: string;
}

/** Renders the guides and the reference into `out`, with what the search looks through. @param version of the service */
export async function buildDocs(root: string, out: string, version: string): Promise<void> {
  const document = openapi(version) as unknown as OpenApiDocument;
  const guides = await readGuides(root);
  const groups = navigation(guides, document);
  const first = guides[0]!;
  await writePage(out, '', pageHtml({ address: addressOf(first), title: first.title, body: first.html }, groups));
  for (const guide of guides) {
    const page = { address: addressOf(guide), title: guide.title, body: guide.html };
    await writePage(out, guide.slug, pageHtml(page, groups));
  }
  const reference = { address: referenceAddress, title: 'API reference', body: referenceHtml(document), wide: true };
  await writePage(out, 'api', pageHtml(reference, groups));
  await writeFile(join(out, 'search.json'), JSON.stringify(searchEntries(guides, document)));
}

function navigation(guides: readonly Guide[], document: OpenApiDocument): readonly NavGroup[] {
  const links = guides.map((guide) => ({ address: addressOf(guide), text: guide.title, places: guide.headings }));
  const places = sectionsOf(document).map((section) => ({ id: sectionAnchor(section), text: section.name }));
  return [
    { title: 'Guides', links },
    { title: 'Reference', links: [{ address: referenceAddress, text: 'API reference', places }] },
  ];
}

function addressOf({ slug }: Pick<Guide, 'slug'>): string {
  return `/docs/${slug}/`;
}

async function writePage(out: string, folder: string, html: string): Promise<void> {
  await mkdir(join(out, folder), { recursive: true });
  await writeFile(join(out, folder, 'index.html'), html);
}

function searchEntries(guides: readonly Guide[], document: OpenApiDocument): readonly SearchEntry[] {
  const parts = guides.flatMap(({ slug, title, text, headings }) => {
    const pieces = text.split(/^## .+$/m).map(plainText);
    const intro = { title, page: title, address: `/docs/${slug}/`, text: pieces[0] ?? '' };
    const inner = headings.map(({ id, text: heading }, at) => {
      return { title: heading, page: title, address: `/docs/${slug}/#${id}`, text: pieces[at + 1] ?? '' };
    });
    return [intro, ...inner];
  });
  const calls = sectionsOf(document).flatMap(({ name, calls: own }) =>
    own.map(({ method, path, operation }) => ({
      title: `${method.toUpperCase()} ${path}`,
      page: name,
      address: `${referenceAddress}#${operation.operationId}`,
      text: plainText([operation.summary, operation.description ?? '', ...fieldNames(operation)].join(' ')),
    })),
  );
  return [...parts, ...calls];
}

function fieldNames({ parameters = [], requestBody }: OperationObject): readonly string[] {
  const bodies = Object.values(requestBody?.content ?? {});
  return [
    ...parameters.map(({ name }) => name),
    ...bodies.flatMap(({ schema }) => Object.keys(schema?.properties ?? {})),
  ];
}

function plainText(markdown: string): string {
  return markdown
    .replace(/```\w*|[`*#|]|<!--.*?-->|---+/g, ' ')
    .replace(/\]\([^)]*\)|\[/g, ' ')
    .replace(/\s+/g, ' ')
    .trim();
}
