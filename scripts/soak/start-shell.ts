import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { demoImage } from '../demo-image.ts';
import { announcement } from '../start/announcement.ts';
import { readArguments } from '../start/arguments.ts';
import { demoAccounts } from '../start/demo-accounts.ts';
import { DevServer } from '../start/dev-server.ts';
import { applyMigrations } from '../start/migrations.ts';
import { portInUse } from '../start/port-in-use.ts';
import { readSettings, writeSettingsFile } from '../start/settings.ts';
import { writeShellConfig } from './shell-config.ts';

/*
 * The service as `npm start` starts it, in the fault shell (test/shell/worker.ts):
 *
 *   node scripts/soak/start-shell.ts --port 9000 --persist-to DIR
 *
 * `FAULTS` in the environment says what goes wrong once it runs, as JSON of `FaultSettings`; while it starts nothing does. The
 * kernels must have been built (`npm run kernels`).
 */
const root = join(import.meta.dirname, '../..');

async function main(): Promise<void> {
  const { port, stateFolder } = readArguments(process.argv.slice(2), root);
  if (await portInUse(port)) throw new Error(`Port ${port} is in use.`);
  mkdirSync(stateFolder, { recursive: true, mode: 0o700 });
  const settings = readSettings(root, process.env);
  applyMigrations(root, stateFolder);
  const config = writeShellConfig(root, stateFolder);
  const server = new DevServer({
    root,
    stateFolder,
    port,
    config,
    settingsFile: writeSettingsFile(stateFolder, settings),
  });
  stopWith(server);
  server.start();
  await server.ready();
  const accounts = await demoAccounts({ url: server.url, stateFolder, adminToken: settings.ADMIN_TOKEN });
  await setFaults(server.url, settings.ADMIN_TOKEN);
  const secretsFile = process.env.ADMIN_TOKEN === undefined ? join(root, '.dev.vars') : undefined;
  const picture = join(stateFolder, 'demo.png');
  writeFileSync(picture, demoImage());
  process.stdout.write(
    announcement({
      consoleUrl: `${server.url}/console/`,
      url: server.url,
      stateFolder,
      picture,
      accounts,
      secretsFile,
      aiProvider: settings.AI_PROVIDER,
    }),
  );
}

async function setFaults(url: string, adminToken: string | undefined): Promise<void> {
  if (!process.env.FAULTS) return;
  const headers = { authorization: `Bearer ${adminToken}`, 'content-type': 'application/json' };
  const answer = await fetch(`${url}/shell/faults`, { method: 'PUT', headers, body: process.env.FAULTS });
  if (!answer.ok) throw new Error(`PUT /shell/faults answered ${answer.status}: ${await answer.text()}`);
}

function stopWith(server: DevServer): void {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(signal, () => void server.stop().then(() => process.exit(0)));
  }
  process.on('exit', () => server.kill());
  server.exited.then((code) => {
    if (server.stopping) return;
    process.stderr.write(`The server stopped by itself (exit code ${code}). Its log: ${server.logFile}\n`);
    process.exit(1);
  });
}

main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exit(1);
});
