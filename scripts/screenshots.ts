import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { samplePictures } from './screenshots/sample-pictures.ts';
import { takeScreenshots } from './screenshots/take-screenshots.ts';

/**
 * `npm run screenshots -- --link 'http://localhost:8787/console/#invite=…'`: pictures of the console's pages and states under docs/images, from
 * a running service. The link is the one that `npm start` prints.
 */
const { values } = parseArgs({
  options: { link: { type: 'string' }, browser: { type: 'string', default: '/usr/bin/chromium' } },
});
if (values.link === undefined) {
  process.stderr.write("Give the link that npm start printed: npm run screenshots -- --link '…'\n");
  process.exit(1);
}
const out = join(import.meta.dirname, '../docs/images');
mkdirSync(out, { recursive: true });
await takeScreenshots({ link: values.link, program: values.browser, photos: await samplePictures(), out });
