import { setTimeout as delay } from 'node:timers/promises';
import type { SoakClient } from './soak-client.ts';

const TRIES = 10;

/**
 * Holds the account's counters against its book. What was told before the question is charged for certain; beyond it only requests
 * whose outcome is not known may be. Once nothing is open, the two must be equal.
 */
export async function checkUsage(client: SoakClient): Promise<void> {
  const { book, verdict } = client;
  const least = { ...book.told };
  const before = book.uncertain;
  const usage = await askUsage(client);
  if (usage === undefined) return;
  const after = book.uncertain;
  for (const kind of ['compressions', 'aiCredits'] as const) {
    const { used } = usage[kind];
    // Answers that came meanwhile were open before; requests that began meanwhile are open now.
    const most = book.told[kind] + Math.max(before[kind], after[kind]);
    if (used >= least[kind] && used <= most) continue;
    const sentence = `${book.account.plan}: ${used} ${kind} charged, ${least[kind]} told, at most ${most}`;
    verdict.violation('wrong charge', sentence);
  }
  verdict.count('usage held against the books');
}

type Usage = Record<'compressions' | 'aiCredits', { readonly used: number }>;

async function askUsage(client: SoakClient): Promise<Usage | undefined> {
  const headers = { authorization: `Bearer ${client.book.account.key}` };
  for (let tried = 0; tried < TRIES; tried++) {
    const reply = await client.call('usage', '/api/usage', headers);
    if (reply.kind === 'answer' && reply.status === 200) return JSON.parse(reply.body.toString()) as Usage;
    await delay(1000);
  }
  client.verdict.violation('usage cannot be read', client.book.account.plan);
  return undefined;
}
