import { join } from 'node:path';
import { isUpToDate, noteBuild } from './console/build-state.ts';

/** `npm run console`: makes build/console, the static pages that the Worker's assets serve. Skipped when nothing has changed. */
const root = join(import.meta.dirname, '..');
if (!(await isUpToDate(root))) {
  // Loading the bundler takes longer than finding that there is nothing to do.
  const { buildConsole } = await import('./console/build-console.ts');
  await buildConsole(root);
  await noteBuild(root);
}
