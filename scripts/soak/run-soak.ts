import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { PlanId } from '../../src/credits/plans.ts';
import { adminToken, Server } from '../../test/conformance/support/server.ts';
import { Front } from '../../test/shell/front.ts';
import { seededRandom } from '../fuzz/random.ts';
import { AccountBook } from './account-book.ts';
import { checkUsage } from './check-usage.ts';
import { MemoryCurve } from './memory-curve.ts';
import { nextScenario } from './scenarios.ts';
import { type Administration, administer, newAccount } from './soak-account.ts';
import { SoakClient } from './soak-client.ts';
import { type SoakFiles, soakFiles } from './soak-files.ts';
import { FLAT_MEGABYTES, type SoakOptions } from './soak-options.ts';
import { Verdict } from './verdict.ts';

const root = join(import.meta.dirname, '../..');
/** What one scenario shows is not that a free account's month is soon used up. */
const ACCOUNTS_OF_ONE: readonly PlanId[] = ['agency', 'agency', 'agency'];
const ACCOUNTS: readonly PlanId[] = ['agency', 'starter', 'free', 'agency', 'starter', 'agency'];
const SAMPLE_MS = 2000;
const USAGE_MS = 7000;
/** A dead request frees its reservation and its Idempotency-Key within 90 seconds (INTERFACE.md). */
const FREED_MS = 100_000;
/** Shorter than this the runtime is still warming up: memory is shown and not judged. */
const JUDGED_MINUTES = 5;

/** Runs the soak and prints its table. @returns how many violations it found */
export async function runSoak(options: SoakOptions, print: (text: string) => void): Promise<number> {
  const server = new Server(undefined, [process.execPath, join(root, 'scripts/soak/start-shell.ts')]);
  const verdict = new Verdict();
  try {
    const settings = { FAULTS: JSON.stringify(options.faults), RATE_LIMIT_PER_MINUTE: '6000' };
    await server.start(settings);
    const front = new Front(server.url, adminToken);
    const url = options.cutSeconds > 0 ? await front.open() : server.url;
    await new Soak({ options, verdict, server, url }).run(print);
    front.close();
  } finally {
    await server.dispose();
  }
  return verdict.violations;
}

class Soak {
  readonly #options: SoakOptions;
  readonly #verdict: Verdict;
  readonly #server: Server;
  readonly #url: string;
  readonly #service: Administration;
  readonly #curve = new MemoryCurve();
  #begun = 0;
  #over = false;

  constructor(p: { options: SoakOptions; verdict: Verdict; server: Server; url: string }) {
    this.#options = p.options;
    this.#verdict = p.verdict;
    this.#server = p.server;
    this.#url = p.url;
    this.#service = { url: p.server.url, token: adminToken };
  }

  async run(print: (text: string) => void): Promise<void> {
    const files = await soakFiles();
    const books = await Promise.all(
      (this.#options.only === undefined ? ACCOUNTS : ACCOUNTS_OF_ONE).map(
        async (plan) => new AccountBook(await newAccount(this.#service, plan)),
      ),
    );
    const clients = Array.from({ length: this.#options.clients }, (_, n) => this.#client(books[n % books.length]!, n));
    const auditors = books.map((book, n) => this.#client(book, this.#options.clients + n));
    const background = [this.#measure(), this.#kill(), this.#deploy(), this.#audit(auditors)];
    const end = setTimeout(() => this.#stop(), this.#options.minutes * 60_000);
    await Promise.all(clients.map((client) => this.#live(client, files)));
    clearTimeout(end);
    this.#stop();
    await Promise.all(background);
    await this.#settle(auditors);
    print(await this.#report(books));
  }

  #client(book: AccountBook, number: number): SoakClient {
    const random = seededRandom(this.#options.seed * 1000 + number);
    const patienceMs = this.#options.patienceSeconds * 1000;
    return new SoakClient({ url: this.#url, book, verdict: this.#verdict, random, patienceMs });
  }

  /** One client's life: something to do, a pause, now and then what was lost before. */
  async #live(client: SoakClient, files: SoakFiles): Promise<void> {
    while (!this.#over) {
      const { only, mostRequests = Number.POSITIVE_INFINITY } = this.#options;
      if (++this.#begun > mostRequests) return this.#stop();
      await nextScenario(client.random, only).run(client, files);
      if (client.random(4) === 0) await client.askAgain(1);
      if (this.#verdict.violations > this.#options.mostViolations) this.#stop();
      await delay(50 + client.random(500));
    }
  }

  async #audit(auditors: readonly SoakClient[]): Promise<void> {
    for (let turn = 0; await this.#goesOn(USAGE_MS); turn++) await checkUsage(auditors[turn % auditors.length]!);
  }

  async #measure(): Promise<void> {
    do this.#curve.add(this.#server.memory().now);
    while (await this.#goesOn(SAMPLE_MS));
  }

  async #kill(): Promise<void> {
    const { killEverySeconds } = this.#options;
    while (killEverySeconds > 0 && (await this.#goesOn(killEverySeconds * 1000))) {
      await administer(this.#service, 'POST', '/shell/kill', { object: 'LANE', withinCalls: 3 });
    }
  }

  async #deploy(): Promise<void> {
    const { deployEverySeconds } = this.#options;
    while (deployEverySeconds > 0 && (await this.#goesOn(deployEverySeconds * 1000))) {
      await administer(this.#service, 'POST', '/shell/deploy');
    }
  }

  /** With a platform that is well again: every open request is asked for, and the counters must be what was told. */
  async #settle(auditors: readonly SoakClient[]): Promise<void> {
    const { cutAfterMs, seed } = this.#options.faults;
    await administer(this.#service, 'PUT', '/shell/faults', { seed, ...(cutAfterMs && { cutAfterMs }) });
    await Promise.all(
      auditors.map(async (auditor) => {
        await auditor.askAgain(Number.POSITIVE_INFINITY, FREED_MS);
        for (const { idempotencyKey } of auditor.book.lost) {
          this.#verdict.violation('outcome never known', `${auditor.book.account.plan} ${idempotencyKey}`);
        }
        await checkUsage(auditor);
      }),
    );
    const judged = this.#options.minutes >= JUDGED_MINUTES && this.#options.mostRequests === undefined;
    if (judged && this.#curve.growth > FLAT_MEGABYTES) {
      this.#verdict.violation('memory not flat', `${this.#curve.growth.toFixed(0)} MB more in the last quarter`);
    }
  }

  async #report(books: readonly AccountBook[]): Promise<string> {
    const { faults, r2, d1, objects } = await administer(this.#service, 'GET', '/shell/counters');
    const told = books.map(({ account, told }) => `${account.plan} ${told.compressions}/${told.aiCredits}`);
    return [
      this.#verdict.report(),
      '',
      `told as done (files/AI): ${told.join(', ')}`,
      `faults that were done: ${JSON.stringify(faults)}`,
      `calls: R2 ${JSON.stringify(r2)}, D1 ${d1}, objects ${JSON.stringify(objects)}`,
      `runtime's memory (MB): ${this.#curve.points}; last quarter over the third: ${this.#curve.growth.toFixed(1)}`,
    ].join('\n');
  }

  #stop(): void {
    this.#over = true;
  }

  /** Waits; whether the soak goes on after it. */
  async #goesOn(ms: number): Promise<boolean> {
    for (let left = ms; left > 0 && !this.#over; left -= 250) await delay(Math.min(250, left));
    return !this.#over;
  }
}
