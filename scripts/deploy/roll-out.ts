import type { Deployment } from './deploy.ts';
import { RUNNING, UPLOADED } from './dry-run.ts';
import type { ProductionConfig } from './production-config.ts';
import { must, type WranglerAnswer } from './run-wrangler.ts';
import { makeSmokeKey } from './smoke-key.ts';
import { meetsVersion, smokeTest, type Target } from './smoke-test.ts';

const CONFIG = ['--config', 'build/wrangler.json'];
/** Tries, one every two seconds. A deployment is everywhere within seconds. */
const SOON = 15;
/** A domain that is new needs a certificate, which takes minutes. */
const IN_MINUTES = 90;

/** What the roll-out hands over. */
export interface Handed {
  /** wrangler's arguments that hand the secrets over. */
  readonly secrets: readonly string[];
  /** Where it is known: with it the first deployment makes the key for smoke tests. */
  readonly adminToken: string | undefined;
}

/**
 * Brings the code into production. The first time it is simply deployed and tested. Afterwards a new version is uploaded, tested while it has
 * no share of the traffic, given all of it, tested again, and taken back when it fails. A version with a new Durable Object migration cannot be
 * uploaded (Cloudflare applies these at once): it is deployed, tested, and cannot be taken back.
 * @throws Error that says what failed, and which version runs now
 */
export async function rollOut(deployment: Deployment, config: ProductionConfig, handed: Handed): Promise<void> {
  const running = runningVersion(deployment, config.worker);
  if (running === undefined) return await deployAtOnce(deployment, config, handed);
  const { wrangler, say } = deployment;
  const uploaded = wrangler(['versions', 'upload', ...CONFIG, ...handed.secrets], { capture: true });
  if (!uploaded.ok && /pending Durable Object migration/i.test(uploaded.output + uploaded.errors)) {
    say('This version brings a Durable Object migration: it is deployed at once and cannot be rolled back.');
    return await deployAtOnce(deployment, config, { ...handed, adminToken: undefined });
  }
  const versionId = uploadedVersion(must(uploaded, 'The upload'));
  const triggers = must(wrangler(['triggers', 'deploy', ...CONFIG], { capture: true }), 'Setting routes and cron');
  const target = targetOf(deployment, config, versionId, triggers.output);
  await tryWithoutTraffic(deployment, target, running);
  must(wrangler(deployTo(`${versionId}@100%`)), 'The roll-out');
  await keepOrTakeBack(deployment, target, running);
}

async function deployAtOnce(deployment: Deployment, config: ProductionConfig, handed: Handed): Promise<void> {
  const { secrets, adminToken } = handed;
  const deployed = must(deployment.wrangler(['deploy', ...CONFIG, ...secrets], { capture: true }), 'The deployment');
  if (deployed.output) deployment.say(deployed.output);
  const target = targetOf(deployment, config, uploadedVersion(deployed), deployed.output);
  await testFirst(deployment, target, adminToken).catch((error: Error) => {
    throw new Error(`The service is deployed, but the smoke test failed. ${error.message}`);
  });
}

async function testFirst(deployment: Deployment, target: Target | undefined, adminToken: string | undefined) {
  const { say, smokeKey } = deployment;
  if (target === undefined || smokeKey !== undefined || adminToken === undefined) {
    return await testAll(deployment, target, IN_MINUTES);
  }
  await meetsVersion(target, IN_MINUTES);
  const key = await makeSmokeKey(target, adminToken);
  say(`SMOKE_TEST_KEY (shown once; with it in the environment later deployments compress an image, too): ${key}`);
  await testAll(deployment, { ...target, key }, IN_MINUTES);
}

/** The version with the largest share of the traffic; undefined when the Worker was never deployed. @throws Error when it cannot be told */
function runningVersion({ wrangler, say, write }: Deployment, worker: string): string | undefined {
  const status = wrangler(['deployments', 'status', '--name', worker, '--json'], { capture: true, note: 'what runs?' });
  if (!write) say('  # Nothing yet, so:');
  if (status.ok) {
    const { versions } = JSON.parse(status.output.slice(status.output.indexOf('{'))) as {
      versions: { version_id: string; percentage: number }[];
    };
    return versions.toSorted((a, b) => b.percentage - a.percentage)[0]?.version_id;
  }
  if (!write || /does not exist|not found|no deployments|10007/i.test(status.output + status.errors)) return undefined;
  throw new Error(`It could not be told what runs. ${status.errors}Mend the cause and run npm run deploy again.`);
}

/** Durable Objects stay with the running version here: lanes and ledgers of the new one are met only once it has the traffic. */
async function tryWithoutTraffic(deployment: Deployment, target: Target | undefined, running: string): Promise<void> {
  if (target === undefined) return;
  const { wrangler, say } = deployment;
  must(wrangler(deployTo(`${running}@100%`, `${target.versionId}@0%`)), 'Making the version reachable for a test');
  try {
    if (await meetsVersion(target, SOON)) await smokeTest(target);
    else say('No request was led to the new version before it has traffic: it is tested right after the roll-out.');
  } catch (error) {
    const back = wrangler(deployTo(`${running}@100%`), { unattended: true });
    throw new Error(
      `The new version failed its smoke test and got no traffic. ${wordsOf(error)} ${state(back, running)}`,
    );
  }
}

async function keepOrTakeBack(deployment: Deployment, target: Target | undefined, running: string): Promise<void> {
  try {
    await testAll(deployment, target, SOON);
  } catch (error) {
    const message = ['--message', 'The smoke test failed'];
    const args = ['rollback', running, '--name', target!.worker, '--yes', ...message];
    const back = deployment.wrangler(args, { unattended: true });
    throw new Error(`The smoke test failed after the roll-out. ${wordsOf(error)} ${state(back, running)}`);
  }
}

async function testAll({ say }: Deployment, target: Target | undefined, tries: number): Promise<void> {
  if (target === undefined) return;
  if (!(await meetsVersion(target, tries))) throw new Error(`${target.address} is answered by another version.`);
  await smokeTest(target);
  const image = target.key === undefined ? ', without an image: SMOKE_TEST_KEY is not set' : '';
  say(`${target.address} answers as it should (version ${target.versionId}${image}).`);
}

function targetOf(
  { write, say, smokeKey, fetch, pause }: Deployment,
  { address: own, worker }: ProductionConfig,
  versionId: string,
  output: string,
): Target | undefined {
  const address = own ?? /https:\/\/[\w.-]+\.workers\.dev/.exec(output)?.[0];
  if (write && address !== undefined) return { address, worker, versionId, key: smokeKey, fetch, pause };
  if (write) say('Not tested: wrangler names no address of the service. Set BASE_URL, or a route in wrangler.toml.');
  else say('  # A smoke test: /health, /health/ready, an image and its link.');
  return undefined;
}

function uploadedVersion({ versionId, output }: WranglerAnswer): string {
  const id = versionId ?? /Version ID: (\S+)/.exec(output)?.[1];
  if (id !== undefined) return id;
  throw new Error('wrangler does not say which version it has uploaded; nothing was rolled out.');
}

function deployTo(...shares: string[]): string[] {
  return ['versions', 'deploy', ...shares, '--yes', ...CONFIG];
}

function state(back: WranglerAnswer, running: string): string {
  if (back.ok) return `Version ${running} runs as before.`;
  return `Taking it back failed, too: run "npx wrangler rollback ${running}" now. ${back.errors}`;
}

function wordsOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** Prints what a later deployment does in place of the first one. */
export function sayLaterRollOut({ wrangler, say }: Deployment, worker: string): void {
  say('  # Every later time, instead of the last command:');
  wrangler(['versions', 'upload', ...CONFIG], { note: `gives ${UPLOADED}` });
  wrangler(['triggers', 'deploy', ...CONFIG]);
  wrangler(deployTo(`${RUNNING}@100%`, `${UPLOADED}@0%`), { note: 'then a smoke test' });
  wrangler(deployTo(`${UPLOADED}@100%`), { note: 'then a smoke test, and when it fails' });
  wrangler(['rollback', RUNNING, '--name', worker, '--yes']);
}
