import type { CompressOptions, Format, WatermarkPosition } from '@plume/client';
import { computed, signal } from '@preact/signals';

/** What the panel sets, with the API's own defaults. */
export interface Options {
  readonly format: Format;
  readonly quality: number;
  readonly maxWidth: number | undefined;
  readonly maxHeight: number | undefined;
  readonly altText: boolean;
  readonly seoNames: boolean;
  readonly language: string;
  readonly context: string;
  readonly keywords: string;
  readonly watermark: File | undefined;
  readonly watermarkScale: number;
  readonly watermarkOpacity: number;
  readonly watermarkPosition: WatermarkPosition;
}

export const formats: readonly Format[] = ['webp', 'avif', 'jpg', 'png'];
export const positions: readonly WatermarkPosition[] = ['TL', 'TC', 'TR', 'ML', 'MC', 'MR', 'BL', 'BC', 'BR'];
export const textLanguages = [
  'English',
  'Español',
  'Català',
  'Français',
  'Deutsch',
  'Italiano',
  'Português',
  'Nederlands',
  'Polski',
  'Русский',
  '中文',
  '日本語',
  '한국어',
  'Arabic',
  'Hindi',
] as const;

export const bounds = {
  quality: [40, 100],
  side: [1, 16_384],
  scale: [5, 50],
  opacity: [0, 100],
  text: 200,
  fileBytes: 20 * 1024 * 1024,
  watermarkBytes: 5 * 1024 * 1024,
} as const;

export const defaults: Options = {
  format: 'webp',
  quality: 82,
  maxWidth: undefined,
  maxHeight: undefined,
  altText: false,
  seoNames: false,
  language: 'English',
  context: '',
  keywords: '',
  watermark: undefined,
  watermarkScale: 20,
  watermarkOpacity: 80,
  watermarkPosition: 'BR',
};

/** The query's names are the API's. A watermark's file cannot stand in an address. */
const queryNames = {
  format: 'format',
  quality: 'quality',
  maxWidth: 'maxWidth',
  maxHeight: 'maxHeight',
  altText: 'autoAltText',
  seoNames: 'autoRenameSEO',
  language: 'language',
  context: 'aiContext',
  keywords: 'seoKeywords',
  watermarkScale: 'watermarkScale',
  watermarkOpacity: 'watermarkOpacity',
  watermarkPosition: 'watermarkPosition',
} as const satisfies Partial<Record<keyof Options, string>>;

export const options = signal<Options>(readQuery(new URLSearchParams(location.search)));

/** Changes options, and the address with them, so that it can be shared. */
export function setOptions(change: Partial<Options>): void {
  options.value = { ...options.value, ...change };
  const query = queryText(options.value);
  history.replaceState(null, '', location.pathname + (query === '' ? '' : `?${query}`));
}

/** Only what differs from the defaults. */
export function queryText(chosen: Options): string {
  const entries = Object.entries(queryNames) as [keyof typeof queryNames, string][];
  const told = entries.filter(([name]) => chosen[name] !== defaults[name]);
  return new URLSearchParams(told.map(([name, word]) => [word, String(chosen[name])])).toString();
}

/** What an address says; what makes no sense there is the default. */
export function readQuery(query: URLSearchParams): Options {
  const whole = (name: string, [min, max]: readonly [number, number]) => {
    const value = Number(query.get(name) ?? Number.NaN);
    return Number.isInteger(value) && value >= min && value <= max ? value : undefined;
  };
  const one = <Value extends string>(name: string, values: readonly Value[]) =>
    values.find((value) => value === query.get(name));
  const text = (name: string) => [...(query.get(name) ?? '')].slice(0, bounds.text).join('');
  return {
    format: one('format', formats) ?? defaults.format,
    quality: whole('quality', bounds.quality) ?? defaults.quality,
    maxWidth: whole('maxWidth', bounds.side),
    maxHeight: whole('maxHeight', bounds.side),
    altText: query.get('autoAltText') === 'true',
    seoNames: query.get('autoRenameSEO') === 'true',
    language: one('language', textLanguages) ?? defaults.language,
    context: text('aiContext'),
    keywords: text('seoKeywords'),
    watermark: undefined,
    watermarkScale: whole('watermarkScale', bounds.scale) ?? defaults.watermarkScale,
    watermarkOpacity: whole('watermarkOpacity', bounds.opacity) ?? defaults.watermarkOpacity,
    watermarkPosition: one('watermarkPosition', positions) ?? defaults.watermarkPosition,
  };
}

export function usesAi({ altText, seoNames }: Options): boolean {
  return altText || seoNames;
}

/** The options as the client takes them; what does not matter is left out. */
export function callOptions(chosen: Options): CompressOptions {
  const { format, quality, maxWidth, maxHeight, altText, seoNames, watermark } = chosen;
  return {
    format,
    ...(format !== 'png' && { quality }),
    maxWidth,
    maxHeight,
    ...(usesAi(chosen) && {
      altText,
      seoNames,
      language: chosen.language,
      context: chosen.context.trim() || undefined,
      keywords: chosen.keywords.trim() || undefined,
    }),
    ...(watermark && {
      watermark: {
        file: watermark,
        scale: chosen.watermarkScale,
        opacity: chosen.watermarkOpacity,
        position: chosen.watermarkPosition,
      },
    }),
  };
}

/** Tells whether two choices give the same results. */
export function sameWork(one: Options, other: Options): boolean {
  return fingerprint(one) === fingerprint(other) && one.watermark === other.watermark;
}

function fingerprint(chosen: Options): string {
  return JSON.stringify(callOptions(chosen));
}

export const optionsChanged = computed(() => !sameWork(options.value, defaults));
