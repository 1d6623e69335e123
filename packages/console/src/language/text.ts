import { signal } from '@preact/signals';
import { remember, remembered } from '../parts/memory.ts';
import { english, type Message, type MessageKey, type Messages } from './english.ts';
import { bestLanguage, type LanguageTag, languages, languageTags, rightToLeft } from './languages.ts';

const table = signal<Messages>(english);
export const language = signal<LanguageTag>('en');

type Values = Readonly<Record<string, string | number>>;

/**
 * A text of the interface in the language of the page; `{name}` stands for a value, numbers are written as the language writes them. Where a message
 * has plural forms, the value `n` chooses among them (CLDR's categories, by `Intl.PluralRules`).
 */
export function t(key: MessageKey, values: Values = {}): string {
  const message: Message = table.value[key] ?? english[key];
  const text = typeof message === 'string' ? message : pluralForm(message, Number(values.n));
  return text.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = values[name];
    return typeof value === 'number' ? number(value) : String(value ?? '');
  });
}

function pluralForm(forms: Exclude<Message, string>, n: number): string {
  return forms[new Intl.PluralRules(language.value).select(n)] ?? forms.other;
}

/** Changes the language of the page; its table is loaded first, so that nothing is shown half in one and half in the other. */
export async function speak(tag: LanguageTag): Promise<void> {
  const loaded = (await languages[tag].load()) ?? english;
  table.value = loaded;
  language.value = tag;
  document.documentElement.lang = tag;
  document.documentElement.dir = rightToLeft.includes(tag) ? 'rtl' : 'ltr';
}

/** Changes the language and keeps it for the next visit. */
export async function chooseLanguage(tag: LanguageTag): Promise<void> {
  await speak(tag);
  remember('language', tag);
}

/** The language chosen before, else the browser's. */
export function wishedLanguage(): LanguageTag {
  const chosen = languageTags.find((tag) => tag === remembered('language'));
  return chosen ?? bestLanguage(navigator.languages);
}

/** A whole number, or one with few decimals. */
export function number(value: number, options: Intl.NumberFormatOptions = { maximumFractionDigits: 1 }): string {
  return new Intl.NumberFormat(language.value, options).format(value);
}

const units = ['byte', 'kilobyte', 'megabyte', 'gigabyte', 'terabyte'] as const;

/** Bytes in the unit that reads best, by 1,024 as the API's limits are: `1.2 MB`. */
export function bytes(value: number): string {
  let rank = 0;
  let amount = value;
  while (amount >= 1023.5 && rank < units.length - 1) {
    amount /= 1024;
    rank++;
  }
  const digits = rank === 0 || amount >= 99.5 ? 0 : 1;
  const unitDisplay = rank === 0 ? 'long' : 'short';
  return number(amount, { style: 'unit', unit: units[rank]!, unitDisplay, maximumFractionDigits: digits });
}

/** `69 %` as the language writes it. @param share 0 to 1 */
export function percent(share: number): string {
  return number(share, { style: 'percent', maximumFractionDigits: Math.abs(share) < 0.1 ? 1 : 0 });
}

/** How much smaller: `−69 %`; larger is `+3 %`. @param share bytes after for each byte before */
export function saving(share: number): string {
  const change = percent(Math.abs(1 - share));
  // Isolated from left to right (UAX #9), so that the sign stays in front in Arabic too.
  return `\u2066${share <= 1 ? '−' : '+'}${change}\u2069`;
}

/** A day, and the time where it says something. */
export function date(instant: string | number, style: 'day' | 'time' | 'both' = 'day'): string {
  const day = { year: 'numeric', month: 'short', day: 'numeric' } as const;
  const time = { hour: 'numeric', minute: '2-digit' } as const;
  const options = style === 'day' ? day : style === 'time' ? time : { ...day, ...time };
  return new Intl.DateTimeFormat(language.value, options).format(new Date(instant));
}

/** `5 minutes ago`, `in 3 days`. */
export function ago(instant: string, now = Date.now()): string {
  const seconds = (Date.parse(instant) - now) / 1000;
  const steps = [
    ['day', 86_400],
    ['hour', 3_600],
    ['minute', 60],
  ] as const;
  const format = new Intl.RelativeTimeFormat(language.value, { numeric: 'auto' });
  const step = steps.find(([, length]) => Math.abs(seconds) >= length);
  return step ? format.format(Math.round(seconds / step[1]), step[0]) : format.format(Math.round(seconds), 'second');
}
