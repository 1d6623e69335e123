import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { type Browser, type BrowserContext, chromium, firefox, type Page } from 'playwright-core';
import { expect } from 'vitest';
import { adminToken, type Server } from '../../../conformance/support/server.ts';

export const browserNames = ['chromium', 'firefox'] as const;
export type BrowserName = (typeof browserNames)[number];

const programs = { chromium: '/usr/bin/chromium', firefox: '/usr/bin/firefox-esr' } as const;
/** No window, no sandbox (the tests run as root), and nothing that talks to anyone else. */
const chromiumArguments = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-dev-shm-usage',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];
const firefoxSettings = {
  'app.normandy.enabled': false,
  'app.update.auto': false,
  'browser.safebrowsing.downloads.remote.enabled': false,
  'datareporting.policy.dataSubmissionEnabled': false,
  'network.captive-portal-service.enabled': false,
  'network.connectivity-service.enabled': false,
  'services.settings.server': 'http://127.0.0.1:9',
  'toolkit.telemetry.enabled': false,
};

/** Whether the browser is on this machine. */
export function hasBrowser(name: BrowserName): boolean {
  return spawnSync(programs[name], ['--version'], { stdio: 'ignore' }).status === 0;
}

export function launch(name: BrowserName): Promise<Browser> {
  const executablePath = programs[name];
  if (name === 'chromium') return chromium.launch({ executablePath, args: chromiumArguments });
  return firefox.launch({ channel: 'moz-firefox', executablePath, firefoxUserPrefs: firefoxSettings });
}

export interface PageOptions {
  readonly width?: number;
  readonly height?: number;
  readonly dark?: boolean;
  readonly locale?: string;
  readonly reducedMotion?: boolean;
  readonly forcedColors?: boolean;
}

/** A page of the console in a browser that knows nothing yet, and what went wrong in it. */
export class ConsolePage {
  readonly page: Page;
  readonly context: BrowserContext;
  readonly #server: Server;
  /** Errors on the browser's console, of the page's policy too, and requests to others. */
  readonly problems: string[] = [];

  private constructor(server: Server, context: BrowserContext, page: Page) {
    this.#server = server;
    this.context = context;
    this.page = page;
  }

  static async open(browser: Browser, server: Server, options: PageOptions = {}): Promise<ConsolePage> {
    const { width = 1280, height = 860, dark = false, locale = 'en', reducedMotion = false } = options;
    const context = await browser.newContext({
      viewport: { width, height },
      colorScheme: dark ? 'dark' : 'light',
      locale,
      ...(reducedMotion && { reducedMotion: 'reduce' }),
      ...(options.forcedColors && { forcedColors: 'active' }),
      acceptDownloads: true,
    });
    const page = await context.newPage();
    const opened = new ConsolePage(server, context, page);
    await opened.#watch();
    return opened;
  }

  async #watch(): Promise<void> {
    const { page, problems } = this;
    await page.addInitScript(() => {
      document.addEventListener('securitypolicyviolation', ({ effectiveDirective, blockedURI }) => {
        // biome-ignore lint/suspicious/noConsole: it runs in the page, whose console is watched
        console.error(`policy: ${effectiveDirective} ${blockedURI}`);
      });
    });
    page.on('console', (message) => {
      if (message.type() === 'error') problems.push(`${message.text()} (${message.location().url})`);
    });
    page.on('pageerror', (error) => problems.push(String(error)));
    page.on('request', (request) => {
      const { protocol, origin } = new URL(request.url());
      if (/^https?:$/.test(protocol) && origin !== this.#server.url) problems.push(`request to ${request.url()}`);
    });
  }

  async goTo(path: string): Promise<void> {
    await this.page.goto(this.#server.url + path);
  }

  /** Signs the owner of an account in, as the link of an invite does. */
  async signIn(accountId: string, path = '/console/'): Promise<void> {
    const { url } = await adminCall(this.#server, `/admin/accounts/${accountId}/invites`, {});
    await this.goTo(`/console/#${new URL(String(url)).hash.slice(1)}`);
    await this.page.locator('.top').waitFor();
    if (path !== '/console/') await this.goTo(path);
  }

  /** Signs the operator in. */
  async signInOperator(): Promise<void> {
    await this.goTo('/console/');
    await this.page.getByLabel('Key', { exact: true }).fill(adminToken);
    await this.page.getByRole('button', { name: 'Sign in' }).click();
    await this.page.getByRole('heading', { name: 'Operator', level: 1 }).waitFor();
  }

  async choose(files: readonly { name: string; mimeType: string; buffer: Buffer }[]): Promise<void> {
    await this.page
      .locator('input[type=file][data-folder=false]')
      .first()
      .setInputFiles([...files]);
  }

  /** Resolves when as many rows are done or failed. */
  async finished(count: number): Promise<void> {
    const ended = this.page.locator('[data-state=done], [data-state=failed]');
    await expect.poll(() => ended.count(), { timeout: 90_000, interval: 200 }).toBe(count);
  }

  /** Resolves when the page has been drawn as it is now. */
  async drawn(): Promise<void> {
    await this.page.evaluate(
      () => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => resolve(undefined)))),
    );
  }

  /** What axe finds wrong, one line each. */
  async accessibility(): Promise<string[]> {
    // Rows out of sight are not drawn, and keep the colours that they had before light and dark were changed.
    await this.page.evaluate(() => {
      for (const row of document.querySelectorAll<HTMLElement>('.file')) row.style.contentVisibility = 'visible';
    });
    await this.page.evaluate(axeSource);
    const violations = await this.page.evaluate(async () => {
      const { axe } = window as unknown as { axe: { run(): Promise<{ violations: Violation[] }> } };
      interface Violation {
        readonly id: string;
        readonly nodes: readonly { readonly html: string; readonly failureSummary?: string }[];
      }
      return (await axe.run()).violations.flatMap(({ id, nodes }) =>
        nodes.map(({ html, failureSummary = '' }) => `${id}: ${html.slice(0, 160)} ${failureSummary}`),
      );
    });
    return violations;
  }

  /** Elements that stick out of the window, and whether the page scrolls sideways. */
  async overflow(): Promise<string[]> {
    return await this.page.evaluate(() => {
      const room = document.documentElement.clientWidth;
      const wide =
        document.scrollingElement!.scrollWidth > room ? [`page: ${document.scrollingElement!.scrollWidth}`] : [];
      const scrolls = (element: Element | null): boolean => {
        if (element === null || element === document.body) return false;
        const { overflowX } = getComputedStyle(element);
        return (
          overflowX === 'auto' || overflowX === 'scroll' || overflowX === 'hidden' || scrolls(element.parentElement)
        );
      };
      const out = [...document.querySelectorAll('button, a, input, select, h1, h2, p')].filter((element) => {
        const { left, right, width } = element.getBoundingClientRect();
        const shown = width > 1 && getComputedStyle(element).visibility === 'visible';
        return (
          shown &&
          (right > room + 1 || left < -1) &&
          !element.matches('.divider, .unseen, .unseen *') &&
          !scrolls(element.parentElement)
        );
      });
      return [...wide, ...out.map((element) => element.outerHTML.slice(0, 120))];
    });
  }

  close(): Promise<void> {
    return this.context.close();
  }
}

const axeSource = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** A call of the operator. @throws Error with the answer when it is no success */
export async function adminCall(
  server: Server,
  path: string,
  body: unknown,
  method = 'POST',
): Promise<Record<string, unknown>> {
  const response = await fetch(server.url + path, {
    method,
    headers: { authorization: `Bearer ${adminToken}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${method} ${path} answered ${response.status}: ${text}`);
  return text === '' ? {} : JSON.parse(text);
}

/** A new account; its id. */
export async function account(server: Server, plan: string, name = `Test ${plan}`): Promise<string> {
  return String((await adminCall(server, '/admin/accounts', { name, plan })).id);
}
