import type { FileFailure } from './contract.ts';

/** Characters of the header's value: clients and proxies take about 16 KiB of headers in all. */
const MAX_LENGTH = 8_000;

/** How far names and messages are cut, in characters, until the header fits; the body's `errors` are never cut. */
const cuts = [
  { name: 2_000, message: 1_000 },
  { name: 100, message: 300 },
  { name: 40, message: 120 },
  { name: 16, message: 60 },
  { name: 8, message: 0 },
] as const;

/** The value of X-Failed-Files: a JSON array, percent-encoded. Undefined when nothing failed. */
export function failedFilesHeader(failures: readonly FileFailure[]): string | undefined {
  if (failures.length === 0) return undefined;
  const values = cuts.map((cut) => encode(failures, cut));
  return values.find(({ length }) => length <= MAX_LENGTH) ?? values.at(-1);
}

function encode(failures: readonly FileFailure[], cut: { readonly name: number; readonly message: number }): string {
  const shortened = failures.map((failure) => ({
    ...failure,
    name: shorten(failure.name, cut.name),
    message: shorten(failure.message, cut.message),
  }));
  return encodeURIComponent(JSON.stringify(shortened));
}

function shorten(text: string, length: number): string {
  const characters = [...text.toWellFormed()];
  return characters.length <= length ? characters.join('') : `${characters.slice(0, length).join('')}…`;
}
