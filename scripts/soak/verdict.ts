import type { Reply } from './send-request.ts';

/** How many of a violation are shown with what was seen. */
const SHOWN = 3;

interface Replies {
  readonly statuses: Map<string, number>;
  /** Milliseconds. */
  readonly times: number[];
}

/** All that the soak saw, in numbers, and what must not be. */
export class Verdict {
  readonly #violations = new Map<string, string[]>();
  readonly #replies = new Map<string, Replies>();
  readonly counts = new Map<string, number>();

  violation(kind: string, detail: string): void {
    const of = this.#violations.get(kind) ?? [];
    this.#violations.set(kind, of);
    of.push(`${new Date().toISOString().slice(11, 19)} ${detail}`);
  }

  get violations(): number {
    return [...this.#violations.values()].reduce((sum, { length }) => sum + length, 0);
  }

  count(name: string, by = 1): void {
    this.counts.set(name, (this.counts.get(name) ?? 0) + by);
  }

  /** Counts a reply and judges what holds for every one. */
  reply(scenario: string, reply: Reply): void {
    const of: Replies = this.#replies.get(scenario) ?? { statuses: new Map(), times: [] };
    this.#replies.set(scenario, of);
    const status = reply.kind === 'answer' ? String(reply.status) : reply.kind;
    of.statuses.set(status, (of.statuses.get(status) ?? 0) + 1);
    if (reply.kind === 'answer') of.times.push(reply.ms);
    if (reply.kind === 'hang') this.violation('hang', `${scenario}: no answer in time`);
    if (reply.kind === 'lost') this.violation('connection lost', scenario);
    if (reply.kind === 'answer') this.#judge(scenario, reply);
  }

  /** The tables. */
  report(): string {
    const lines = ['', row('scenario', ['count', 'p50 ms', 'p95 ms', 'max ms'], 'statuses')];
    for (const [scenario, { statuses, times }] of [...this.#replies].sort()) {
      const sorted = times.sort((a, b) => a - b);
      const at = (share: number) => (sorted[Math.floor((sorted.length - 1) * share)] ?? 0).toFixed(0);
      const all = [...statuses.values()].reduce((sum, count) => sum + count, 0);
      const told = [...statuses].sort().map(([status, count]) => `${status} × ${count}`);
      lines.push(row(scenario, [String(all), at(0.5), at(0.95), at(1)], told.join(', ')));
    }
    lines.push('', ...[...this.counts].sort().map(([name, count]) => row(name, [String(count)], '')));
    lines.push('', this.violations === 0 ? 'No violations.' : `${this.violations} VIOLATIONS`);
    for (const [kind, details] of this.#violations) {
      lines.push(`  ${kind}: ${details.length}`, ...details.slice(0, SHOWN).map((detail) => `      ${detail}`));
    }
    return lines.join('\n');
  }

  #judge(scenario: string, { status, headers, body }: Reply & { kind: 'answer' }): void {
    const allowed = [200, 201, 202, 206].includes(status) || (status >= 400 && status < 500);
    if (!allowed && status !== 503) this.violation(`status ${status}`, `${scenario}: ${body.toString().slice(0, 160)}`);
    if ((status === 429 || status === 503) && !(Number(headers['retry-after']) > 0)) {
      this.violation('no Retry-After', `${scenario}: ${status} ${body.toString().slice(0, 160)}`);
    }
  }
}

function row(first: string, columns: readonly string[], last: string): string {
  return `  ${first.padEnd(26)}${columns.map((column) => column.padStart(9)).join('')}  ${last}`;
}
