import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { plain, red } from '../../conformance/support/pictures.ts';
import { Server } from '../../conformance/support/server.ts';
import { account, adminCall, ConsolePage, hasBrowser, launch } from './support/console-page.ts';
import { brokenFile, pictureFiles, tooLargeFile } from './support/picture-files.ts';

const server = new Server();
const there = hasBrowser('chromium');
let browser: Browser;

beforeAll(async () => {
  await server.start();
  if (there) browser = await launch('chromium');
});
afterAll(async () => {
  await browser?.close();
  await server.dispose();
});

/** Every page and state in light and dark, on a desk and on the narrowest phone: nothing for axe to find, nothing sticks out. */
async function looksRight(console: ConsolePage, state: string): Promise<void> {
  const { page } = console;
  for (const [width, height] of [
    [1280, 860],
    [360, 740],
  ] as const) {
    await page.setViewportSize({ width, height });
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
      await console.drawn();
      const where = `${state}, ${colorScheme}, ${width} px`;
      expect({ where, found: await console.accessibility() }).toEqual({ where, found: [] });
      expect({ where, overflow: await console.overflow() }).toEqual({ where, overflow: [] });
    }
  }
  await page.setViewportSize({ width: 1280, height: 860 });
  await page.emulateMedia({ colorScheme: 'light', reducedMotion: null });
}

describe.skipIf(!there)('every page and state', { timeout: 180_000 }, () => {
  let console: ConsolePage;
  beforeAll(async () => {
    console = await ConsolePage.open(browser, server);
  });

  test('the door, closed and refusing', async () => {
    await console.goTo('/console/');
    await looksRight(console, 'sign-in');
    await console.page.getByLabel('Key', { exact: true }).fill('plume_wrong');
    await console.page.keyboard.press('Enter');
    await console.page.getByRole('alert').waitFor();
    await looksRight(console, 'sign-in refused');
    // A refused key is an answer like any other, which Chromium reports as an error of the page.
    expect(console.problems.splice(0)).toEqual([expect.stringMatching(/401 .*\/session\)$/)]);
  });

  test('the work: empty, chosen, done and partly failed', async () => {
    const { page } = console;
    await console.signIn(await account(server, 'agency'));
    await looksRight(console, 'empty');
    await console.choose([...(await pictureFiles(4)), await brokenFile(), tooLargeFile()]);
    await page.getByLabel('Alt text').check();
    await page.getByRole('button', { name: 'curl' }).click();
    await looksRight(console, 'chosen, with AI and code');
    await page.locator('input[data-watermark]').setInputFiles({
      name: 'mark.png',
      mimeType: 'image/png',
      buffer: await plain(40, 20, red).png().toBuffer(),
    });
    await looksRight(console, 'with a watermark');
    await page.getByRole('button', { name: 'Optimise 5 files' }).click();
    await console.finished(6);
    await looksRight(console, 'partly failed');
  });

  test('colours that the system forces leave everything to be seen', async () => {
    const { page } = console;
    await page.emulateMedia({ forcedColors: 'active' });
    await console.drawn();
    expect(await console.accessibility()).toEqual([]);
    const chosen = page.locator('.choice input:checked + span').first();
    const other = page.locator('.choice input:not(:checked) + span').first();
    const colour = (element: typeof chosen) => element.evaluate((span) => getComputedStyle(span).backgroundColor);
    expect(await colour(chosen)).not.toBe(await colour(other));
    await page.emulateMedia({ forcedColors: 'none' });
  });

  test('the comparison and its difference', async () => {
    const { page } = console;
    await page.getByRole('button', { name: 'Compare picture-01.webp' }).click();
    await page.locator('.stage-wait').waitFor({ state: 'detached' });
    await looksRight(console, 'comparison');
    await page.getByRole('button', { name: 'Difference' }).click();
    await looksRight(console, 'difference');
    await page.keyboard.press('Escape');
  });

  test('history, usage and keys', async () => {
    const { page } = console;
    await page.getByRole('link', { name: 'History' }).click();
    await page.locator('details.batch summary').first().click();
    await page.locator('.batch-files a').first().waitFor();
    await looksRight(console, 'history');
    await page.getByRole('link', { name: 'Usage', exact: true }).click();
    await page.locator('.chart').waitFor();
    await page.getByText('As a table').click();
    await looksRight(console, 'usage');
    await page.getByRole('link', { name: 'API keys' }).click();
    await page.getByRole('heading', { name: 'No keys yet' }).waitFor();
    await looksRight(console, 'no keys');
    await page.getByRole('button', { name: 'New key' }).click();
    await looksRight(console, 'new key');
    await page.getByLabel('Name').fill('A name that is as long as the names of keys in large companies are');
    await page.getByRole('button', { name: 'Make key' }).click();
    await page.locator('.shown-key').waitFor();
    await looksRight(console, 'key shown');
    await page.getByRole('button', { name: /^Revoke/ }).click();
    await looksRight(console, 'revoke');
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Account and settings' }).click();
    await looksRight(console, 'menu');
  });

  test('a plan without keys, and a month that is used up', async () => {
    const free = await ConsolePage.open(browser, server);
    const { page } = free;
    await free.signIn(await account(server, 'free'), '/console/keys/');
    await page.getByText('API keys come with the Agency plan').waitFor();
    await looksRight(free, 'keys of the free plan');
    await page.getByRole('link', { name: 'Optimise' }).click();
    const tiny = await plain(8, 8, red).png().toBuffer();
    const many = Array.from({ length: 101 }, (_, at) => ({ name: `${at}.png`, mimeType: 'image/png', buffer: tiny }));
    await free.choose(many);
    expect(await page.locator('.start-bar').textContent()).toContain('Only 100 compressions are left until');
    await looksRight(free, 'too many for what is left');
    await page.getByRole('button', { name: 'Optimise 100 files' }).click();
    await free.finished(100);
    await expect.poll(() => page.locator('.start-bar').textContent()).toContain('No compressions are left until');
    expect(await page.locator('.start-bar button').isDisabled()).toBe(true);
    await looksRight(free, 'used up');
    expect(free.problems).toEqual([]);
    await free.close();
  });

  test('the operator’s accounts', async () => {
    const operator = await ConsolePage.open(browser, server);
    await operator.signInOperator();
    await operator.page.locator('.accounts').waitFor();
    await looksRight(operator, 'operator');
    await operator.page.locator('.accounts .button.link').first().click();
    await operator.page.getByRole('button', { name: 'Make link' }).click();
    await operator.page.locator('.secret').waitFor();
    await looksRight(operator, 'account');
    expect(operator.problems).toEqual([]);
    await operator.close();
  });

  test('the documentation', async () => {
    for (const path of ['/docs/', '/docs/errors/', '/docs/batches-and-limits/', '/docs/api/']) {
      await console.goTo(path);
      await looksRight(console, path);
    }
  });

  test('left no error, no break of the policy, no request to others', () => {
    expect(console.problems).toEqual([]);
  });
});

describe.skipIf(!there)('every language', { timeout: 120_000 }, () => {
  test.for(['es', 'ca', 'fr', 'de', 'it', 'pt', 'nl', 'pl', 'ru', 'zh-Hans', 'ja', 'ko', 'ar', 'hi'])(
    'in %s nothing sticks out of the narrowest phone',
    async (locale) => {
      const console = await ConsolePage.open(browser, server, { width: 360, height: 740, locale });
      const { page } = console;
      await console.signIn(await account(server, 'agency'));
      expect(await page.locator('html').getAttribute('lang')).toBe(locale);
      expect(await page.locator('html').getAttribute('dir')).toBe(locale === 'ar' ? 'rtl' : 'ltr');
      await console.choose(await pictureFiles(2));
      await page.locator('.start-bar .primary').waitFor();
      expect(await console.overflow()).toEqual([]);
      await page.locator('.start-bar .primary').click();
      await console.finished(2);
      expect(await console.overflow()).toEqual([]);
      await page
        .locator('.results .button', { has: page.locator('svg') })
        .last()
        .click();
      expect(await console.overflow()).toEqual([]);
      await page.keyboard.press('Escape');
      for (const path of ['usage', 'keys', 'history']) {
        await console.goTo(`/console/${path}/`);
        await page.getByRole('heading', { level: 1 }).waitFor();
        expect({ path, out: await console.overflow() }).toEqual({ path, out: [] });
      }
      expect(console.problems).toEqual([]);
      await console.close();
    },
  );
});

describe.skipIf(!there)('when things go wrong', { timeout: 120_000 }, () => {
  test('a session that ended in the middle keeps the files, and the work goes on after signing in', async () => {
    const id = await account(server, 'starter');
    const { key } = await adminCall(server, `/admin/accounts/${id}/keys`, { label: 'Console', kind: 'app' });
    const console = await ConsolePage.open(browser, server);
    const { page } = console;
    await console.signIn(id);
    await console.choose(await pictureFiles(3));
    expect(await page.evaluate(async () => (await fetch('/session/all', { method: 'DELETE' })).status)).toBe(204);
    await page.getByRole('button', { name: 'Optimise 3 files' }).click();
    await page.getByText('Your session has ended').waitFor();
    await page.getByText('Your 3 files are still here').waitFor();
    await looksRight(console, 'session ended');
    await page.getByLabel('Key', { exact: true }).fill(String(key));
    await page.getByRole('button', { name: 'Sign in' }).click();
    await console.finished(3);
    expect(await page.locator('[data-state=done]').count()).toBe(3);
    await expect.poll(() => page.locator('.left').textContent()).toBe('1,997 left');
    expect(console.problems.filter((problem) => !/ 401 /.test(problem))).toEqual([]);
    await console.close();
  });

  test('offline the page says so and waits; online it goes on, and nothing is charged twice', async () => {
    const console = await ConsolePage.open(browser, server);
    const { page, context } = console;
    await console.signIn(await account(server, 'starter'));
    await console.choose(await pictureFiles(5));
    await page.getByRole('button', { name: 'Optimise 5 files' }).click();
    await context.setOffline(true);
    await page.getByText('You are offline').waitFor();
    await looksRight(console, 'offline');
    await context.setOffline(false);
    await console.finished(5);
    expect(await page.locator('[data-state=done]').count()).toBe(5);
    await expect.poll(() => page.locator('.left').textContent()).toBe('1,995 left');
    await console.close();
  });

  test('names and texts are text, whatever is written in them', async () => {
    const attack = '<img src=x onerror="document.title=1">';
    const console = await ConsolePage.open(browser, server);
    const { page } = console;
    await console.signIn(await account(server, 'agency', attack));
    const [picture] = await pictureFiles(1);
    await console.choose([{ ...picture!, name: `${attack}.jpg` }]);
    await page.getByLabel('Alt text').check();
    await page.getByLabel('What the images are about').fill(attack);
    await page.getByRole('button', { name: 'Optimise 1 file' }).click();
    await console.finished(1);
    await page.getByRole('button', { name: 'Account and settings' }).click();
    expect(await page.locator('.menu-panel').textContent()).toContain(attack);
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: /^Compare </ }).click();
    await page.locator('.stage-wait').waitFor({ state: 'detached' });
    expect(await page.locator('img[src=x]').count()).toBe(0);
    expect(await page.title()).toContain('Plume');
    expect(console.problems).toEqual([]);
    await console.close();
  });

  test('of a folder its pictures are taken, and what else is in it is counted', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'plume-folder-'));
    mkdirSync(join(folder, 'inner'));
    for (const [at, { buffer }] of (await pictureFiles(3)).entries())
      writeFileSync(join(folder, at < 2 ? 'inner' : '.', `${at}.jpg`), buffer);
    writeFileSync(join(folder, 'notes.txt'), 'no picture');
    writeFileSync(join(folder, '.DS_Store'), 'nothing that anybody put there');
    const console = await ConsolePage.open(browser, server);
    const { page } = console;
    await console.signIn(await account(server, 'agency'));
    await page.locator('input[data-folder=true]').setInputFiles(folder);
    await expect.poll(() => page.locator('.file').count()).toBe(3);
    await page.getByText(/files? (was|were) left out/).waitFor();
    expect(await page.locator('.file-name').first().getAttribute('title')).toMatch(/\/.*\.jpg$/);
    await console.close();
    rmSync(folder, { recursive: true });
  });

  test('the whole way goes by keyboard, and the focus is always seen', async () => {
    const console = await ConsolePage.open(browser, server);
    const { page } = console;
    await console.signIn(await account(server, 'agency'));
    /** Presses Tab until what has the focus is called so. */
    const tabTo = async (name: RegExp) => {
      for (let press = 0; press < 60; press++) {
        await page.keyboard.press('Tab');
        const focused = await page.evaluate(() => {
          const element = document.activeElement as HTMLElement;
          // Past the last one the browser's own controls have their turn.
          if (element === document.body) return { name: '', seen: true };
          const style = getComputedStyle(element);
          const marked = element.matches('input[type=radio]') ? getComputedStyle(element.nextElementSibling!) : style;
          const name = element.getAttribute('aria-label') ?? element.textContent ?? '';
          return { name, seen: marked.outlineStyle !== 'none' || element.matches('.divider') };
        });
        expect(focused).toEqual({ name: focused.name, seen: true });
        if (name.test(focused.name)) return;
      }
      throw new Error(`Tab never reaches ${name}`);
    };
    await tabTo(/^Choose files$/);
    const [chooser] = await Promise.all([page.waitForEvent('filechooser'), page.keyboard.press('Enter')]);
    await chooser.setFiles(await pictureFiles(2));
    await page.locator('.start-bar').waitFor();
    await tabTo(/^Optimise 2 files$/);
    await page.keyboard.press('Enter');
    await expect.poll(() => page.evaluate(() => document.activeElement?.className)).toContain('results');
    await console.finished(2);
    await tabTo(/^Compare picture-02/);
    await page.keyboard.press('Enter');
    await page.locator('.stage-wait').waitFor({ state: 'detached' });
    await tabTo(/^Divider/);
    await page.keyboard.press('ArrowRight');
    expect(await page.getByRole('slider', { name: /^Divider/ }).inputValue()).toBe('50.5');
    await tabTo(/^Close$/);
    await page.keyboard.press('Enter');
    expect(await page.evaluate(() => document.activeElement?.getAttribute('aria-label'))).toBe(
      'Compare picture-02.webp',
    );
    await page.keyboard.press('Shift+Tab');
    await tabTo(/^Download picture-02/);
    const [download] = await Promise.all([page.waitForEvent('download'), page.keyboard.press('Enter')]);
    expect(download.suggestedFilename()).toBe('picture-02.webp');
    expect(console.problems).toEqual([]);
    await console.close();
  });

  test('options are the address’s, and what makes no sense there is passed over', async () => {
    const console = await ConsolePage.open(browser, server);
    const { page } = console;
    await console.signIn(
      await account(server, 'agency'),
      '/console/?format=avif&quality=7000&maxWidth=640&language=Klingon',
    );
    expect(await page.getByRole('radio', { name: 'AVIF' }).isChecked()).toBe(true);
    expect(await page.getByLabel('Quality').inputValue()).toBe('82');
    expect(await page.getByLabel('Width, px').inputValue()).toBe('640');
    await page.getByLabel('Quality').fill('70');
    expect(new URL(page.url()).search).toBe('?format=avif&quality=70&maxWidth=640');
    await page.getByRole('button', { name: 'curl' }).click();
    expect(await page.locator('.code pre').textContent()).toContain('-F maxWidth=640');
    await console.close();
  });

  test('nothing moves while the page comes up', async () => {
    const console = await ConsolePage.open(browser, server);
    const { page } = console;
    await page.addInitScript(() => {
      const shifts = window as unknown as { shift: number };
      shifts.shift = 0;
      new PerformanceObserver((list) => {
        for (const entry of list.getEntries()) shifts.shift += (entry as unknown as { value: number }).value;
      }).observe({ type: 'layout-shift', buffered: true });
    });
    await console.signIn(await account(server, 'agency'));
    await console.choose(await pictureFiles(6));
    await expect.poll(() => page.locator('.file .thumbnail img').count()).toBe(6);
    expect(await page.evaluate(() => (window as unknown as { shift: number }).shift)).toBeLessThanOrEqual(0.02);
    await console.close();
  });
});
