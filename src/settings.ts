import type { ProviderSettings } from './describe/providers/create-provider.ts';
import { type ProviderId, providerIds } from './describe/providers/provider.ts';
import { limits } from './limits.ts';
import type { Jurisdiction } from './platform/objects-within.ts';

/** What the operator sets with plain variables (wrangler.toml), parsed and bounded. */
export interface Settings {
  /** Seconds for which a download URL works. */
  readonly downloadTtlSeconds: number;
  /** Seconds for which a result is kept, so that its batch can be asked for again; its last link still works for its time. */
  readonly resultTtlSeconds: number;
  /** Seconds after which what a dead request left in staging is swept. */
  readonly stagingTtlSeconds: number;
  /** Requests a minute and key. */
  readonly ratePerMinute: number;
  /** Codec lanes a data centre. */
  readonly lanes: number;
  /** Bytes that a request's body may have; undefined: no limit. */
  readonly maxRequestBytes: number | undefined;
  /** `*` or the origins from which browsers may call. */
  readonly corsOrigins: '*' | readonly string[];
  /** Scheme and authority (and path, if any) of the service's public address, without a slash at the end; absent: the request's. */
  readonly baseUrl: string | undefined;
  /** Who may administrate; nobody: there are no administration routes. */
  readonly admins: readonly AdminToken[];
  /** Plain http is redirected or refused, and browsers are told to stay with https. */
  readonly httpsOnly: boolean;
  /** Where Durable Objects are made; undefined: near their first caller. Others than before are other objects. */
  readonly jurisdiction: Jurisdiction | undefined;
  readonly ai: AiSettings;
}

/** One operator's token, and the name that the audit has for it. */
export interface AdminToken {
  readonly name: string;
  readonly token: string;
}

export const jurisdictions: readonly Jurisdiction[] = ['eu'];

/** Who describes pictures, and how long a picture may wait for it. */
export type AiSettings = ProviderSettings & {
  /** Milliseconds. */
  readonly timeoutMs: number;
};

/** The variables of AI; the lanes read them too. */
export interface AiVars {
  readonly AI_PROVIDER?: string;
  readonly AI_MODEL?: string;
  readonly AI_BASE_URL?: string;
  /** Secret. */
  readonly AI_API_KEY?: string;
  readonly AI_TIMEOUT_MS?: string;
  readonly AI_GATEWAY?: string;
}

export interface SettingVars extends AiVars {
  readonly DOWNLOAD_TTL_SECONDS?: string;
  readonly RESULT_TTL_SECONDS?: string;
  readonly STAGING_TTL_SECONDS?: string;
  readonly RATE_LIMIT_PER_MINUTE?: string;
  readonly LANES?: string;
  readonly MAX_REQUEST_BYTES?: string;
  readonly CORS_ORIGINS?: string;
  readonly BASE_URL?: string;
  readonly HTTPS_ONLY?: string;
  readonly JURISDICTION?: string;
  /** Secret. */
  readonly ADMIN_TOKEN?: string;
  /** Secret: more tokens, as `name=token` pairs between commas. */
  readonly ADMIN_TOKENS?: string;
}

const WEEK = 7 * 24 * 3600;

/** Parses the variables; what is not set gets its default. @throws Error naming the variable that is wrong, for the operator */
export function readSettings(vars: SettingVars): Settings {
  return {
    downloadTtlSeconds: wholeNumber(vars, 'DOWNLOAD_TTL_SECONDS', 3600, 1, WEEK),
    resultTtlSeconds: wholeNumber(vars, 'RESULT_TTL_SECONDS', 24 * 3600, 1, WEEK),
    stagingTtlSeconds: wholeNumber(vars, 'STAGING_TTL_SECONDS', 7200, 1, WEEK),
    ratePerMinute: wholeNumber(vars, 'RATE_LIMIT_PER_MINUTE', 600, 1, 1_000_000),
    lanes: wholeNumber(vars, 'LANES', 32, 1, 1024),
    maxRequestBytes: maxRequestBytes(vars),
    corsOrigins: origins(vars.CORS_ORIGINS ?? '*'),
    baseUrl: address('BASE_URL', vars.BASE_URL),
    admins: adminTokens(vars),
    httpsOnly: choice(vars, 'HTTPS_ONLY', ['true', 'false']) === 'true',
    jurisdiction: choice(vars, 'JURISDICTION', jurisdictions),
    ai: readAiSettings(vars),
  };
}

/** Room for one file of the largest size, and for the form around it; and more than the largest request that the interface has. */
const REQUEST_BYTES = { min: 22_000_000, max: 1_000_000_000 };

function maxRequestBytes(vars: SettingVars): number | undefined {
  if (given(vars.MAX_REQUEST_BYTES) === undefined) return undefined;
  return wholeNumber(vars, 'MAX_REQUEST_BYTES', REQUEST_BYTES.max, REQUEST_BYTES.min, REQUEST_BYTES.max);
}

/** Chat, vision, many languages (Workers AI's catalogue). */
const WORKERS_AI_MODEL = '@cf/google/gemma-4-26b-a4b-it';

/** For servers that have one model and do not look at its name, such as llama.cpp's. */
const UNNAMED_MODEL = 'default';

/** Parses the variables of AI. @throws Error naming the variable that is wrong, for the operator */
export function readAiSettings(vars: AiVars): AiSettings {
  const timeoutMs = wholeNumber(vars, 'AI_TIMEOUT_MS', 20_000, 1, 120_000);
  const provider = providerId(vars.AI_PROVIDER);
  const model = given(vars.AI_MODEL);
  switch (provider) {
    case 'workers-ai':
      return { provider, timeoutMs, model: model ?? WORKERS_AI_MODEL, gateway: given(vars.AI_GATEWAY) };
    case 'openai': {
      const baseUrl = address('AI_BASE_URL', vars.AI_BASE_URL);
      if (baseUrl === undefined)
        throw new Error('AI_BASE_URL must be set for AI_PROVIDER "openai", up to and with /v1');
      return { provider, timeoutMs, model: model ?? UNNAMED_MODEL, baseUrl, apiKey: given(vars.AI_API_KEY) };
    }
    case 'embedded':
      return { provider, timeoutMs };
  }
}

function providerId(text: string | undefined): ProviderId {
  const id = given(text) ?? 'workers-ai';
  const known = providerIds.find((other) => other === id);
  if (known !== undefined) return known;
  throw new Error(`AI_PROVIDER must be one of ${providerIds.join(', ')}, not "${id}"`);
}

/** A variable's text; set to nothing is not set. */
function given(text: string | undefined): string | undefined {
  return text?.trim() || undefined;
}

function wholeNumber(vars: SettingVars, name: keyof SettingVars, otherwise: number, min: number, max: number): number {
  const text = given(vars[name]);
  if (text === undefined) return otherwise;
  const value = Number(text);
  if (/^\d+$/.test(text) && value >= min && value <= max) return value;
  throw new Error(`${name} must be a whole number from ${min} to ${max}, not "${text}"`);
}

function choice<Value extends string>(
  vars: SettingVars,
  name: keyof SettingVars,
  values: readonly Value[],
): Value | undefined {
  const text = given(vars[name]);
  const value = values.find((other) => other === text);
  if (text !== undefined && value === undefined)
    throw new Error(`${name} must be ${values.join(' or ')}, not "${text}"`);
  return value;
}

/** The name that the audit has for ADMIN_TOKEN. */
const FIRST_ADMIN = 'admin';

/** The messages show no token: they end in logs. */
function adminTokens(vars: SettingVars): readonly AdminToken[] {
  const first = given(vars.ADMIN_TOKEN);
  const named = (given(vars.ADMIN_TOKENS) ?? '').split(',').filter((pair) => pair.trim() !== '');
  const admins = named.map(namedToken);
  if (first !== undefined) admins.unshift({ name: FIRST_ADMIN, token: longEnough(first, 'ADMIN_TOKEN') });
  const repeated = admins.find(({ name }, place) => admins.findIndex((other) => other.name === name) < place);
  if (repeated) throw new Error(`ADMIN_TOKENS must have every name once, and "${FIRST_ADMIN}" is that of ADMIN_TOKEN`);
  return admins;
}

function namedToken(pair: string): AdminToken {
  const [, name, token] = /^\s*([\w.-]{1,40})=(\S+)\s*$/.exec(pair) ?? [];
  if (name === undefined || token === undefined) {
    throw new Error(
      'ADMIN_TOKENS must be pairs name=token between commas; a name has 1 to 40 of a-z, 0-9, ".", "_", "-"',
    );
  }
  return { name, token: longEnough(token, `ADMIN_TOKENS: the token of ${name}`) };
}

function longEnough(token: string, what: string): string {
  if (token.length >= limits.adminTokenCharacters) return token;
  throw new Error(`${what} must have at least ${limits.adminTokenCharacters} characters`);
}

function origins(list: string): '*' | readonly string[] {
  const names = list.split(',').map((name) => name.trim().replace(/\/$/, ''));
  return names.includes('*') ? '*' : names.filter((name) => name !== '');
}

function address(name: keyof SettingVars, text: string | undefined): string | undefined {
  if (given(text) === undefined) return undefined;
  const url = URL.parse(text!.trim());
  if (url !== null && /^https?:$/.test(url.protocol) && url.search === '' && url.hash === '') {
    return url.href.replace(/\/+$/, '');
  }
  throw new Error(`${name} must be an http or https address without query, not "${text}"`);
}
