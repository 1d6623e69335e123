/** What stands in the document where the service gave what it made by chance or by the clock. */
const DAY = '2026-11-22';
const NOON = Date.parse(`${DAY}T12:00:00Z`);
/** By the name of the property: what says nothing to a reader. */
const fixed: Readonly<Record<string, string>> = { nextCursor: 'MTc5NTM0MzQwMC42ZjFjNWE5ZQ', address: '203.0.113.7' };
const MINUTE_MS = 60_000;
const DAY_MS = 24 * 3_600_000;

/** Puts fixed values in the place of what differs from run to run: ids, keys, signatures, times, the address. */
export class Settler {
  readonly #url: string;
  readonly #started: number;
  readonly #known = new Map<string, string>();

  /** @param started ms since the epoch */
  constructor(url: string, started: number) {
    this.#url = url;
    this.#started = started;
  }

  settle(value: unknown): unknown {
    if (typeof value === 'string') return this.#text(value);
    if (Array.isArray(value)) return value.map((item) => this.settle(item));
    if (value === null || typeof value !== 'object') return value;
    return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, fixed[name] ?? this.settle(item)]));
  }

  #text(text: string): string {
    return text
      .replaceAll(this.#url, 'https://plume.example')
      .replaceAll(/plume_[\w-]{43}\w{6}/g, `plume_${'0'.repeat(49)}`)
      .replace(/^plume_[\w-]{6}$/, 'plume_000000')
      .replaceAll(/\b(acc|key|ses|inv)_[0-9a-f]{32}\b/g, (id, kind: string) => this.#stable(id, `${kind}_`, 32))
      .replaceAll(/\b[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\b/g, (id) =>
        this.#stable(id, '6f1c5a9e-0000-4000-8000-', 12),
      )
      .replaceAll(/\/(d|z)\/\d{8}\.[\w-]+(\.[\w-]+)?\//g, (_, route: string) => `/${route}/00494940.NrVb2mA5c0y8/`)
      .replaceAll(/expires=\d+&kid=[0-9a-f]{6}&signature=[\w-]{43}/g, 'expires=1795352400&kid=5d41c2&signature=s3cR3t')
      .replaceAll(/#invite=[\w-]{43}/g, '#invite=uC7dQ0e5lq8S2rF1')
      .replaceAll(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z/g, (time) => this.#time(Date.parse(time)))
      .replace(/^\d{4}-\d\d-\d\d$/, (day) => this.#day(Date.parse(day)));
  }

  /** The same text gets the same one each time; others count up. */
  #stable(text: string, before: string, digits: number): string {
    const known = this.#known.get(text) ?? before + String(this.#known.size + 1).padStart(digits, '0');
    this.#known.set(text, known);
    return known;
  }

  /** As far from noon as it was from the start; a month's ends stay what they are. */
  #time(time: number): string {
    const away = time - this.#started;
    const at =
      Math.abs(away) > 2 * DAY_MS
        ? new Date(time).setUTCFullYear(2026)
        : NOON + Math.round(away / MINUTE_MS) * MINUTE_MS;
    return new Date(at).toISOString().replace(/\.\d+Z$/, 'Z');
  }

  #day(day: number): string {
    const days = Math.round((day - Math.floor(this.#started / DAY_MS) * DAY_MS) / DAY_MS);
    return new Date(Date.parse(DAY) + days * DAY_MS).toISOString().slice(0, 10);
  }
}

/** An example without what chance, the clock and the engine decide: sizes, times, and how often a stream told of a file. */
export function withoutChance(value: unknown, name = ''): unknown {
  if (typeof value === 'number') return 'a number';
  if (typeof value === 'string')
    return name === 'altText'
      ? 'a text'
      : value.replaceAll(/\d{4}-\d\d-\d\d(T\d\d:\d\d:\d\dZ)?/g, 'a time').replaceAll(/\d+/g, '0');
  if (Array.isArray(value))
    return inOrder(value.filter((item) => item?.event !== 'file')).map((item) => withoutChance(item));
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, withoutChance(item, key)]));
}

/** Events of files that were done at the same time come in any order. */
function inOrder(items: readonly { readonly event?: string }[]) {
  return items.every((item) => item?.event) ? [...items].sort((a, b) => (a.event! < b.event! ? -1 : 1)) : items;
}
