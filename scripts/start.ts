import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readSettings as readServiceSettings, type SettingVars } from '../src/settings.ts';
import { demoImage } from './demo-image.ts';
import { announcement } from './start/announcement.ts';
import { readArguments } from './start/arguments.ts';
import { consoleLink, demoAccounts } from './start/demo-accounts.ts';
import { DevServer } from './start/dev-server.ts';
import { applyMigrations } from './start/migrations.ts';
import { portInUse } from './start/port-in-use.ts';
import { readSettings, writeSettingsFile } from './start/settings.ts';

/** The local cron: `wrangler dev` fires none by itself, so expired results would never be swept. */
const SWEEP_EVERY_MS = 5 * 60 * 1000;
/** How soon the starter notices that the shell it runs under is gone. */
const SHELL_WATCH_MS = 250;

/** The shell that npm runs this in, as it was before anything took time. */
const shell = process.ppid;
const root = join(import.meta.dirname, '..');

async function main(): Promise<void> {
  const { port, stateFolder } = readArguments(process.argv.slice(2), root);
  if (await portInUse(port))
    fail(`Port ${port} is in use. Stop what listens there, or choose another: npm start -- --port ${port + 1}`);

  mkdirSync(stateFolder, { recursive: true, mode: 0o700 });
  const settings = readSettings(root, process.env);
  // Said here in one line what the Worker would say in a stack trace.
  readServiceSettings(settings as SettingVars);
  build('kernels', 'The WebAssembly kernels');
  build('console', 'The console');
  applyMigrations(root, stateFolder);

  const server = new DevServer({ root, stateFolder, port, settingsFile: writeSettingsFile(stateFolder, settings) });
  stopOnSignals(server);
  server.start();
  await server.ready();
  const sweep = setInterval(() => server.runScheduled(), SWEEP_EVERY_MS);
  server.exited.then((code) => {
    clearInterval(sweep);
    if (!server.stopping) fail(`The server stopped by itself (exit code ${code}). Its log: ${server.logFile}`);
  });

  const picture = join(stateFolder, 'demo.png');
  if (!existsSync(picture)) writeFileSync(picture, demoImage());
  const service = { url: server.url, stateFolder, adminToken: settings.ADMIN_TOKEN };
  const accounts = await demoAccounts(service);
  const consoleUrl = (await consoleLink(service, accounts)) ?? `${server.url}/console/`;
  const secretsFile = process.env.ADMIN_TOKEN === undefined ? join(root, '.dev.vars') : undefined;
  const aiProvider = settings.AI_PROVIDER;
  process.stdout.write(
    announcement({ url: server.url, consoleUrl, stateFolder, picture, accounts, secretsFile, aiProvider }),
  );
}

/** Runs one of the build scripts, which do nothing when nothing has changed. */
function build(script: string, what: string): void {
  const built = spawnSync(process.execPath, [join(root, `scripts/${script}.ts`)], { cwd: root, encoding: 'utf8' });
  if (built.status !== 0) fail(`${what} could not be built:\n${built.stdout}${built.stderr}`);
}

/** Ctrl-C reaches the starter only: the server is in a process group of its own, so it is stopped once and in order. */
function stopOnSignals(server: DevServer): void {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(signal, () => {
      server.stop().then(() => process.exit(0));
    });
  }
  process.on('exit', () => server.kill());
  stopWithShell(server);
}

/** npm passes a signal on to the shell between it and the starter, and that shell dies of it without a word to the starter. */
function stopWithShell(server: DevServer): void {
  if (process.env.npm_lifecycle_event !== 'start') return;
  setInterval(() => {
    if (process.ppid !== shell) server.stop().then(() => process.exit(0));
  }, SHELL_WATCH_MS).unref();
}

function fail(message: string): never {
  process.stderr.write(`${message}\n`);
  process.exit(1);
}

main().catch((error: unknown) => fail(error instanceof Error ? error.message : String(error)));
