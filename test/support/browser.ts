import { type ChildProcess, spawn } from 'node:child_process';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { inFolder } from './native-tool.ts';

/** Browsers by the name of their program, and what starts them without a window and without talking to anyone. */
const ARGUMENTS = {
  chromium: (profile: string) => [
    '--headless',
    '--no-sandbox',
    '--disable-gpu',
    '--disable-dev-shm-usage',
    '--disable-background-networking',
    '--disable-component-update',
    '--no-first-run',
    '--force-color-profile=srgb',
    `--user-data-dir=${profile}`,
  ],
  'firefox-esr': (profile: string) => ['--headless', '--no-remote', '--profile', profile],
} as const;

export type BrowserName = keyof typeof ARGUMENTS;

/** Firefox: nothing but the page that is asked for. */
const FIREFOX_SETTINGS = `
user_pref("app.normandy.enabled", false);
user_pref("app.update.auto", false);
user_pref("browser.aboutwelcome.enabled", false);
user_pref("browser.safebrowsing.downloads.remote.enabled", false);
user_pref("browser.shell.checkDefaultBrowser", false);
user_pref("datareporting.policy.dataSubmissionEnabled", false);
user_pref("extensions.getAddons.cache.enabled", false);
user_pref("network.captive-portal-service.enabled", false);
user_pref("network.connectivity-service.enabled", false);
user_pref("services.settings.server", "http://127.0.0.1:9");
user_pref("toolkit.telemetry.enabled", false);
`;

/** Draws each picture on a canvas and sends its pixels back, or why it could not. */
const PAGE = `<!doctype html><meta charset="utf-8"><script type="module">
const send = (path, body) => fetch(path, { method: 'POST', body });
try {
  for (const name of await (await fetch('/names')).json()) {
    const file = await (await fetch('/file/' + name)).blob();
    const picture = await createImageBitmap(file, { colorSpaceConversion: 'none' });
    const canvas = document.createElement('canvas');
    canvas.width = picture.width;
    canvas.height = picture.height;
    const context = canvas.getContext('2d', { willReadFrequently: true });
    context.drawImage(picture, 0, 0);
    await send('/pixels/' + name, context.getImageData(0, 0, picture.width, picture.height).data);
  }
  await send('/done', '');
} catch (error) {
  await send('/failed', String(error));
}
</script>`;

/**
 * The RGBA pixels that a browser shows files as, by name; a picture's own size is its canvas's.
 * @param signal ends the browser
 * @throws Error with the browser's words when it cannot show one
 */
export function shownBy(
  browser: BrowserName,
  files: ReadonlyMap<string, Uint8Array>,
  signal: AbortSignal,
): Promise<Map<string, Uint8Array>> {
  return inFolder(async (write, folder) => {
    write('user.js', Buffer.from(FIREFOX_SETTINGS));
    const pixels = new Map<string, Uint8Array>();
    const { server, finished } = await serve(files, pixels);
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
    const program = spawn(browser, [...ARGUMENTS[browser](folder), url], {
      stdio: 'ignore',
      detached: true,
      env: { ...process.env, HOME: folder, TMPDIR: folder, XDG_RUNTIME_DIR: join(folder) },
    });
    try {
      await Promise.race([finished, ended(program), aborted(signal)]);
      return pixels;
    } finally {
      await stop(program);
      server.closeAllConnections();
      server.close();
    }
  });
}

async function serve(
  files: ReadonlyMap<string, Uint8Array>,
  pixels: Map<string, Uint8Array>,
): Promise<{ server: Server; finished: Promise<void> }> {
  const { promise: finished, resolve, reject } = Promise.withResolvers<void>();
  const server = createServer(async (request, response) => {
    const [, verb = '', name = ''] = (request.url ?? '').split('/');
    const body = await bodyOf(request);
    if (verb === 'pixels') pixels.set(name, body);
    if (verb === 'done') resolve();
    if (verb === 'failed') reject(new Error(body.toString()));
    if (verb === '') response.setHeader('content-type', 'text/html');
    if (verb === '') response.end(PAGE);
    else if (verb === 'names') response.end(JSON.stringify([...files.keys()]));
    else response.end(verb === 'file' ? files.get(name) : undefined);
  });
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  return { server, finished };
}

async function bodyOf(request: IncomingMessage): Promise<Buffer> {
  const pieces: Buffer[] = [];
  for await (const piece of request) pieces.push(piece);
  return Buffer.concat(pieces);
}

function ended(program: ChildProcess): Promise<never> {
  return new Promise((_, reject) => {
    program.on('error', reject);
    program.on('exit', (code) => reject(new Error(`the browser ended with ${code}`)));
  });
}

function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason));
  });
}

/** Ends a program with all that it started. */
async function stop(program: ChildProcess): Promise<void> {
  if (program.pid === undefined || program.exitCode !== null) return;
  const gone = new Promise((resolve) => program.on('exit', resolve));
  process.kill(-program.pid, 'SIGKILL');
  await gone;
}
