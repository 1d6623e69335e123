import { relative } from 'node:path';
import type { DemoAccount } from './demo-accounts.ts';

interface Facts {
  readonly url: string;
  /** Where the console is; signs in once where it could be made to. */
  readonly consoleUrl: string;
  readonly stateFolder: string;
  readonly picture: string;
  readonly accounts: readonly DemoAccount[];
  /** The file that holds the admin token; absent when the environment gave it. */
  readonly secretsFile: string | undefined;
  /** `AI_PROVIDER`. */
  readonly aiProvider: string | undefined;
}

/** What a successful start prints: what is running, where, with which keys, what to try, how to stop. */
export function announcement({
  url,
  consoleUrl,
  stateFolder,
  picture,
  accounts,
  secretsFile,
  aiProvider,
}: Facts): string {
  const from = process.env.INIT_CWD ?? process.cwd();
  const lines = [`Plume is running at ${url}`, '', `Console: ${consoleUrl}`, ''];
  for (const { plan, kind, key } of accounts) lines.push(`  ${plan.padEnd(8)} ${kind} key  ${key}`);
  const best = accounts.at(-1);
  if (best) {
    lines.push('', 'Try it:', '');
    const file = shellQuoted(`file=@${nearPath(from, picture)}`);
    lines.push(
      `  curl -H 'Authorization: Bearer ${best.key}' -F ${file} -F format=webp -F maxWidth=800 ${url}/api/compress`,
    );
  } else {
    lines.push('  No ADMIN_TOKEN is set, so no demo accounts could be made.');
  }
  if (aiProvider === 'embedded') {
    lines.push(
      '',
      'AI: the embedded describer. It measures and composes; it is not a vision model (docs/api.md, "AI texts").',
    );
  }
  if (secretsFile !== undefined) lines.push('', `Admin: the token is ADMIN_TOKEN in ${nearPath(from, secretsFile)}`);
  lines.push('', `State: ${nearPath(from, stateFolder)}   API: ${url}/openapi.json   Ctrl-C stops it.`, '');
  return lines.join('\n');
}

/** Relative where that is shorter to read, absolute where it would climb out of the folder. */
function nearPath(from: string, path: string): string {
  const near = relative(from, path);
  return near === '' || near.startsWith('..') ? path : near;
}

function shellQuoted(text: string): string {
  return /^[\w@=./:-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}
