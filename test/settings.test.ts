import { expect, test } from 'vitest';
import { readSettings } from '../src/settings.ts';

test('what is not set, or set to nothing, has its default', () => {
  const defaults = {
    downloadTtlSeconds: 3600,
    resultTtlSeconds: 86_400,
    stagingTtlSeconds: 7200,
    ratePerMinute: 600,
    lanes: 32,
    corsOrigins: '*',
    baseUrl: undefined,
    admins: [],
    httpsOnly: false,
    jurisdiction: undefined,
    ai: { provider: 'workers-ai', timeoutMs: 20_000, model: '@cf/google/gemma-4-26b-a4b-it', gateway: undefined },
  };
  expect(readSettings({})).toEqual(defaults);
  expect(readSettings({ LANES: '', BASE_URL: ' ', DOWNLOAD_TTL_SECONDS: ' ' })).toEqual(defaults);
});

test('AI settings of each provider are read', () => {
  const ai = (vars: object) => readSettings(vars).ai;
  expect(ai({ AI_MODEL: '@cf/x/y', AI_GATEWAY: 'gate', AI_TIMEOUT_MS: '500' })).toEqual({
    provider: 'workers-ai',
    model: '@cf/x/y',
    gateway: 'gate',
    timeoutMs: 500,
  });
  const server = { AI_PROVIDER: 'openai', AI_BASE_URL: 'http://localhost:11434/v1/', AI_MODEL: 'gemma4' };
  expect(ai(server)).toEqual({
    provider: 'openai',
    baseUrl: 'http://localhost:11434/v1',
    model: 'gemma4',
    apiKey: undefined,
    timeoutMs: 20_000,
  });
  expect(ai({ ...server, AI_API_KEY: ' sk-1 ' })).toMatchObject({ apiKey: 'sk-1' });
  expect(ai({ ...server, AI_MODEL: '' })).toMatchObject({ model: 'default' });
  expect(ai({ AI_PROVIDER: ' embedded ', AI_MODEL: 'x' })).toEqual({ provider: 'embedded', timeoutMs: 20_000 });
});

test.each([
  [{ AI_BASE_URL: '', AI_MODEL: 'm' }, /^AI_BASE_URL must be set/],
  [{ AI_BASE_URL: 'localhost:11434/v1', AI_MODEL: 'm' }, /^AI_BASE_URL must be an http/],
])('an OpenAI-compatible server needs its address: %o', (vars, message) => {
  expect(() => readSettings({ AI_PROVIDER: 'openai', ...vars })).toThrow(message);
});

test('what is set is read', () => {
  const vars = { DOWNLOAD_TTL_SECONDS: '60', LANES: ' 4 ', RATE_LIMIT_PER_MINUTE: '1', STAGING_TTL_SECONDS: '1' };
  expect(readSettings(vars)).toMatchObject({
    downloadTtlSeconds: 60,
    lanes: 4,
    ratePerMinute: 1,
    stagingTtlSeconds: 1,
  });
});

test.each([
  ['DOWNLOAD_TTL_SECONDS', '0'],
  ['DOWNLOAD_TTL_SECONDS', '604801'],
  ['STAGING_TTL_SECONDS', '-1'],
  ['RATE_LIMIT_PER_MINUTE', '1e3'],
  ['LANES', '1.5'],
  ['LANES', 'many'],
  ['AI_PROVIDER', 'gpt'],
  ['AI_TIMEOUT_MS', '0'],
  ['AI_TIMEOUT_MS', '2 s'],
  ['HTTPS_ONLY', 'yes'],
  ['JURISDICTION', 'us'],
  ['JURISDICTION', 'EU'],
  ['BASE_URL', 'plume.example'],
  ['BASE_URL', 'ftp://plume.example'],
  ['BASE_URL', 'https://plume.example/?a=b'],
])('%s="%s" stops the service with a message for the operator', (name, value) => {
  expect(() => readSettings({ [name]: value })).toThrow(new RegExp(`^${name} must be`));
});

test('the base address loses its last slash and keeps its path', () => {
  expect(readSettings({ BASE_URL: 'https://plume.example/' }).baseUrl).toBe('https://plume.example');
  expect(readSettings({ BASE_URL: 'http://localhost:8787/images/' }).baseUrl).toBe('http://localhost:8787/images');
});

test('origins are a list, and a star among them opens to all', () => {
  const origins = (list: string) => readSettings({ CORS_ORIGINS: list }).corsOrigins;
  expect(origins('https://a.example, https://b.example/')).toEqual(['https://a.example', 'https://b.example']);
  expect(origins('https://a.example,*')).toBe('*');
  expect(origins('')).toEqual([]);
});

const long = (letter: string) => letter.repeat(24);

test('administrators have a token each, and a name', () => {
  const admins = (vars: object) => readSettings(vars).admins;
  expect(admins({ ADMIN_TOKEN: '', ADMIN_TOKENS: ' , ' })).toEqual([]);
  expect(admins({ ADMIN_TOKEN: long('a') })).toEqual([{ name: 'admin', token: long('a') }]);
  expect(admins({ ADMIN_TOKEN: long('a'), ADMIN_TOKENS: ` ada=${long('b')} ` })).toEqual([
    { name: 'admin', token: long('a') },
    { name: 'ada', token: long('b') },
  ]);
  // What is behind the first "=" is the token: base64 may end with more of them.
  expect(admins({ ADMIN_TOKENS: `ada=${long('b')}==,g.h-1=${long('c')},` })).toEqual([
    { name: 'ada', token: `${long('b')}==` },
    { name: 'g.h-1', token: long('c') },
  ]);
});

test.each([
  [{ ADMIN_TOKEN: 'a'.repeat(23) }, /^ADMIN_TOKEN must have at least 24 characters$/],
  [{ ADMIN_TOKENS: `ada=${'b'.repeat(23)}` }, /^ADMIN_TOKENS: the token of ada must have at least 24 characters$/],
  [{ ADMIN_TOKENS: long('b') }, /^ADMIN_TOKENS must be pairs name=token/],
  [{ ADMIN_TOKENS: `=${long('b')}` }, /^ADMIN_TOKENS must be pairs/],
  [{ ADMIN_TOKENS: `a b=${long('b')}` }, /^ADMIN_TOKENS must be pairs/],
  [{ ADMIN_TOKENS: `ada=${long('b')},ada=${long('c')}` }, /^ADMIN_TOKENS must have every name once/],
  [{ ADMIN_TOKEN: long('a'), ADMIN_TOKENS: `admin=${long('b')}` }, /^ADMIN_TOKENS must have every name once/],
])('%o stops the service, and the message shows no token', (vars, message) => {
  const stop = () => readSettings(vars);
  expect(stop).toThrow(message);
  expect(stop).not.toThrow(/bbb/);
});

test('https and the jurisdiction are the operator’s to set', () => {
  expect(readSettings({ HTTPS_ONLY: 'true', JURISDICTION: 'eu' })).toMatchObject({
    httpsOnly: true,
    jurisdiction: 'eu',
  });
  expect(readSettings({ HTTPS_ONLY: 'false' }).httpsOnly).toBe(false);
});
