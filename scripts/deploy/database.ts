import type { ProductionConfig } from './production-config.ts';
import { must, type RunWrangler } from './run-wrangler.ts';

/** Makes the database if it is missing and returns its id; a dry run knows none. */
export function makeDatabase(
  { wrangler, write }: { wrangler: RunWrangler; write: boolean },
  { database, jurisdiction }: ProductionConfig,
): string {
  const known = databaseId(wrangler, database, 'is the database there?');
  if (known !== undefined) return known;
  const where = jurisdiction === undefined ? [] : ['--jurisdiction', jurisdiction];
  must(wrangler(['d1', 'create', database, ...where], { note: 'if it is not' }), 'Creating the database');
  if (!write) return '<id of the database>';
  const made = databaseId(wrangler, database, 'what is its id?');
  if (made === undefined) throw new Error('The database was created but is not listed yet. Run npm run deploy again.');
  return made;
}

function databaseId(wrangler: RunWrangler, database: string, note: string): string | undefined {
  const listed = wrangler(['d1', 'list', '--json'], { capture: true, note });
  if (!listed.ok) return undefined;
  const databases = JSON.parse(listed.output.slice(listed.output.indexOf('['))) as { name: string; uuid: string }[];
  return databases.find(({ name }) => name === database)?.uuid;
}
