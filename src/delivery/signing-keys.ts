/** `SIGNING_KEY`, or one that a rotation made: `SIGNING_KEY_` and when it begins to sign, in UTC to the second. */
const keyName = /^SIGNING_KEY(?:_(\d{14}))?$/;

/**
 * The secrets for download links among the settings: the first signs, all are accepted. A dated key signs from its date on (the newest wins) and
 * is accepted before, so that every isolate knows it by then; `SIGNING_KEY` has no date and is older than all that have one;
 * `SIGNING_KEY_PREVIOUS` only is accepted. Nothing has to be read back to rotate a key: the new one gets a name of its own.
 * @param now Unix time in milliseconds
 * @throws Error when there is none, for the operator
 */
export function signingKeys(settings: object, now: number): readonly [string, ...string[]] {
  const named = Object.entries(settings).filter((entry): entry is [string, string] => {
    return keyName.test(entry[0]) && typeof entry[1] === 'string' && entry[1] !== '';
  });
  const newestFirst = named.sort(([a], [b]) => (a < b ? 1 : -1));
  const signing = newestFirst.filter(([name]) => signsFrom(name) <= now);
  const waiting = newestFirst.filter(([name]) => signsFrom(name) > now).reverse();
  const { SIGNING_KEY_PREVIOUS: previous } = settings as { readonly SIGNING_KEY_PREVIOUS?: string };
  const [first, ...others] = [...signing, ...waiting].map(([, secret]) => secret);
  if (first === undefined) throw new Error('SIGNING_KEY is not set: create it with "wrangler secret put SIGNING_KEY"');
  return previous ? [first, ...others, previous] : [first, ...others];
}

/** The name of a key that signs from then on. @param time Unix time in milliseconds */
export function signingKeyName(time: number): string {
  return `SIGNING_KEY_${new Date(time).toISOString().slice(0, 19).replaceAll(/\D/g, '')}`;
}

/** Unix time in milliseconds from which on the key of this name signs: 0 for one without a date. */
export function signsFrom(name: string): number {
  const [, date] = keyName.exec(name) ?? [];
  if (date === undefined) return 0;
  return Date.parse(date.replace(/(....)(..)(..)(..)(..)(..)/, '$1-$2-$3T$4:$5:$6Z'));
}
