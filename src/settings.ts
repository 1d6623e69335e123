/** What the operator sets with plain variables (wrangler.jsonc), parsed and bounded. */
export interface Settings {
  /** Seconds for which a download URL works. */
  readonly downloadTtlSeconds: number;
  /** Seconds after which what a dead request left in staging is swept. */
  readonly stagingTtlSeconds: number;
  /** Requests a minute and key. */
  readonly ratePerMinute: number;
  /** Codec lanes a data centre. */
  readonly lanes: number;
  /** `*` or the origins from which browsers may call. */
  readonly corsOrigins: '*' | readonly string[];
  /** Scheme and authority (and path, if any) of the service's public address, without a slash at the end; absent: the request's. */
  readonly baseUrl: string | undefined;
}

export interface SettingVars {
  readonly DOWNLOAD_TTL_SECONDS?: string;
  readonly STAGING_TTL_SECONDS?: string;
  readonly RATE_LIMIT_PER_MINUTE?: string;
  readonly LANES?: string;
  readonly CORS_ORIGINS?: string;
  readonly BASE_URL?: string;
}

const WEEK = 7 * 24 * 3600;

/** Parses the variables; what is not set gets its default. @throws Error naming the variable that is wrong, for the operator */
export function readSettings(vars: SettingVars): Settings {
  return {
    downloadTtlSeconds: wholeNumber(vars, 'DOWNLOAD_TTL_SECONDS', 3600, 1, WEEK),
    stagingTtlSeconds: wholeNumber(vars, 'STAGING_TTL_SECONDS', 7200, 1, WEEK),
    ratePerMinute: wholeNumber(vars, 'RATE_LIMIT_PER_MINUTE', 600, 1, 1_000_000),
    lanes: wholeNumber(vars, 'LANES', 16, 1, 1024),
    corsOrigins: origins(vars.CORS_ORIGINS ?? '*'),
    baseUrl: baseUrl(vars.BASE_URL),
  };
}

function wholeNumber(vars: SettingVars, name: keyof SettingVars, otherwise: number, min: number, max: number): number {
  const text = vars[name]?.trim() ?? '';
  if (text === '') return otherwise;
  const value = Number(text);
  if (/^\d+$/.test(text) && value >= min && value <= max) return value;
  throw new Error(`${name} must be a whole number from ${min} to ${max}, not "${text}"`);
}

function origins(list: string): '*' | readonly string[] {
  const names = list.split(',').map((name) => name.trim().replace(/\/$/, ''));
  return names.includes('*') ? '*' : names.filter((name) => name !== '');
}

function baseUrl(text: string | undefined): string | undefined {
  if (text === undefined || text.trim() === '') return undefined;
  const url = URL.parse(text.trim());
  if (url !== null && /^https?:$/.test(url.protocol) && url.search === '' && url.hash === '') {
    return url.href.replace(/\/+$/, '');
  }
  throw new Error(`BASE_URL must be an http or https address without query, not "${text}"`);
}
