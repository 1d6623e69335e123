import { readFileSync } from 'node:fs';
import type { Browser } from 'playwright-core';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Server } from '../../conformance/support/server.ts';
import { account, browserNames, ConsolePage, hasBrowser, launch } from './support/console-page.ts';
import { brokenFile, type GivenFile, photoFile, pictureFiles, tooLargeFile } from './support/picture-files.ts';
import { zipFiles } from './support/zip-files.ts';

const server = new Server();
beforeAll(() => server.start());
afterAll(() => server.dispose());

/** A newcomer's whole path, in each browser: from the link that `npm start` prints to signing out. */
describe.for(browserNames)('the console in %s', (name) => {
  let browser: Browser;
  let console: ConsolePage;
  let files: GivenFile[];
  const there = hasBrowser(name);

  beforeAll(async () => {
    if (!there) return;
    files = [...(await pictureFiles(22)), await photoFile(), await brokenFile(), tooLargeFile()];
    browser = await launch(name);
    console = await ConsolePage.open(browser, server);
  });
  afterAll(() => browser?.close());

  test.skipIf(!there)(
    'the link that the start prints signs in, once, and leaves no secret in the address',
    async () => {
      const printed = /^Console: (\S+)$/m.exec(server.output)![1]!;
      // The one that was printed counts once: the second browser gets one of its own.
      if (name === browserNames[0]) await console.page.goto(printed);
      else await console.signIn(await account(server, 'agency', 'Ada'));
      await console.page.getByRole('heading', { name: 'Optimise images' }).waitFor();
      expect(console.page.url()).toBe(`${server.url}/console/`);
      if (name !== browserNames[0]) return;
      const second = await ConsolePage.open(browser, server);
      await second.page.goto(printed);
      await second.page.getByRole('alert').waitFor();
      expect(await second.page.getByRole('alert').textContent()).toContain('unknown, used, revoked or expired');
      await second.close();
    },
  );

  test.skipIf(!there)(
    '25 dropped files are there at once, and go through by themselves',
    { timeout: 180_000 },
    async () => {
      const { page } = console;
      await drop(console, files);
      await expect.poll(() => page.locator('.file').count()).toBe(25);
      // What would be refused unseen says so before anything is sent.
      expect(await page.locator('.file', { hasText: 'too-large.jpg' }).textContent()).toMatch(/At most 20 MB/);
      await expect.poll(() => page.locator('.file .thumbnail img').count(), { timeout: 30_000 }).toBeGreaterThan(20);
      expect(await page.locator('.start-bar').textContent()).toMatch(/Takes 24 of 50,000 compressions/);
      await page.getByRole('button', { name: 'Optimise 24 files' }).click();
      await expect
        .poll(() => page.locator('[data-state=running], [data-state=queued], [data-state=uploading]').count())
        .toBeGreaterThan(0);
      await console.finished(25);
      expect(await page.locator('[data-state=done]').count()).toBe(23);
      expect(await page.locator('.file', { hasText: 'broken.jpg' }).textContent()).toMatch(/damaged|ends too early/);
      expect(await page.locator('.results').textContent()).toMatch(/23 files optimised · 2 failed/);
      // A file that failed costs nothing.
      await expect.poll(() => page.locator('.left').textContent()).toBe('49,977 left');
    },
  );

  test.skipIf(!there)('pictures are compared by keyboard alone', async () => {
    const { page } = console;
    const opener = page.getByRole('button', { name: 'Compare photo.webp' });
    await opener.focus();
    await page.keyboard.press('Enter');
    const view = page.getByRole('dialog');
    await expect
      .poll(() => view.locator('.layer-result img').evaluate((image: HTMLImageElement) => image.naturalWidth))
      .toBe(4032);
    const clip = () => view.locator('.layer-result').evaluate((layer) => getComputedStyle(layer).clipPath);
    expect(await clip()).toContain('50%');
    const divider = view.getByRole('slider', { name: 'Divider between original and result' });
    await divider.focus();
    for (let press = 0; press < 10; press++) await page.keyboard.press('ArrowRight');
    expect(await divider.inputValue()).toBe('55');
    expect(await clip()).toContain('55%');
    await page.keyboard.press('Home');
    expect(await divider.inputValue()).toBe('0');
    await page.keyboard.down(' ');
    await expect
      .poll(() => view.locator('.layer-result').evaluate((layer) => getComputedStyle(layer).visibility))
      .toBe('hidden');
    await page.keyboard.up(' ');
    await expect
      .poll(() => view.locator('.layer-result').evaluate((layer) => getComputedStyle(layer).visibility))
      .toBe('visible');
    await page.keyboard.press('1');
    await expect
      .poll(() => view.locator('.layer-result img').evaluate((image) => image.getBoundingClientRect().width))
      .toBe(4032);
    await view.locator('.stage').focus();
    await page.keyboard.press('ArrowLeft');
    expect(await view.getByRole('heading').textContent()).toBe('picture-22.jpg');
    await page.keyboard.press('d');
    await expect
      .poll(() => view.locator('.layer-result').evaluate((layer) => getComputedStyle(layer).mixBlendMode))
      .toBe('difference');
    await page.keyboard.press('Escape');
    await expect.poll(() => view.count()).toBe(0);
    expect(await opener.evaluate((element) => element === document.activeElement)).toBe(true);
  });

  test.skipIf(!there)('everything comes as one ZIP with what the rows promise', async () => {
    const { page } = console;
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Download ZIP' }).click(),
    ]);
    const zipped = zipFiles(readFileSync(await download.path()));
    expect(zipped.size).toBe(23);
    expect(await sharp(zipped.get('photo.webp')!).metadata()).toMatchObject({
      format: 'webp',
      width: 4032,
      height: 3024,
    });
    expect(await sharp(zipped.get('picture-01.webp')!).metadata()).toMatchObject({ format: 'webp', width: 240 });
  });

  test.skipIf(!there)('a closed tab has lost nothing that is done', async () => {
    const { page } = console;
    await console.goTo('/console/history/');
    await expect.poll(() => page.locator('details.batch').count()).toBeGreaterThan(1);
    await page.locator('details.batch summary').first().click();
    await page.locator('.batch-files a').first().waitFor();
    const address = await page.locator('.batch-files a').first().getAttribute('href');
    const result = await fetch(server.url + address);
    expect(result.status).toBe(200);
    expect((await sharp(Buffer.from(await result.arrayBuffer())).metadata()).format).toBe('webp');
  });

  test.skipIf(!there)('a key is made, used, rolled and revoked', { timeout: 60_000 }, async () => {
    const { page } = console;
    await page.getByRole('link', { name: 'API keys' }).click();
    await page.getByRole('button', { name: 'New key' }).click();
    await page.getByLabel('Name').fill('Website build');
    await page.getByRole('button', { name: 'Make key' }).click();
    await page.getByText('Waiting for your first request').waitFor();
    const key = await page.locator('.secret input').inputValue();
    expect(await statusWith(key)).toBe(200);
    await page.locator('.shown-key').getByText('First request seen').waitFor({ timeout: 20_000 });

    await page.getByRole('button', { name: 'Roll Website build' }).first().click();
    await page.getByLabel('The old key ends after').selectOption({ label: 'At once' });
    await page.getByRole('dialog').getByRole('button', { name: 'Roll' }).click();
    await expect.poll(() => page.locator('.secret input').inputValue()).not.toBe(key);
    const rolled = await page.locator('.secret input').inputValue();
    expect(await statusWith(rolled)).toBe(200);
    expect(await statusWith(key)).toBe(401);

    await page.getByRole('button', { name: 'Revoke Website build' }).first().click();
    const revoke = page.getByRole('dialog').getByRole('button', { name: 'Revoke' });
    expect(await revoke.isDisabled()).toBe(true);
    await page.getByLabel('Type Website build to confirm').fill('Website build');
    await revoke.click();
    await expect.poll(() => page.getByRole('button', { name: 'Revoke Website build' }).count()).toBe(0);
    expect(await statusWith(rolled)).toBe(401);
  });

  test.skipIf(!there)('the days show what was used', async () => {
    const { page } = console;
    await page.getByRole('link', { name: 'Usage', exact: true }).click();
    await page.getByText('23 compressions').first().waitFor();
    await page.getByText('As a table').click();
    expect(await page.locator('.chart-table tbody tr').count()).toBe(1);
    expect(await page.locator('.chart-table tbody td').first().textContent()).toBe('23');
  });

  test.skipIf(!there)('signing out ends the session, not just the page', async () => {
    const { page } = console;
    const [cookie] = await console.context.cookies();
    expect(cookie).toMatchObject({ name: '__Host-plume_session', httpOnly: true, secure: true, sameSite: 'Strict' });
    const asked = () => fetch(`${server.url}/api/usage`, { headers: { cookie: `${cookie!.name}=${cookie!.value}` } });
    expect((await asked()).status).toBe(200);
    await page.getByRole('button', { name: 'Account and settings' }).click();
    await page.getByRole('button', { name: 'Sign out', exact: true }).click();
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    expect((await asked()).status).toBe(401);
  });

  test.skipIf(!there)('an operator changes a plan, and it holds at once', async () => {
    const name = `Grace in ${browser.browserType().name()}`;
    const id = await account(server, 'free', name);
    const operator = await ConsolePage.open(browser, server);
    await operator.signInOperator();
    const { page } = operator;
    await page.getByRole('searchbox', { name: 'Name or id' }).fill(name);
    await expect.poll(() => page.locator('.accounts tbody tr').count()).toBe(1);
    await page.getByRole('button', { name }).click();
    await page.getByRole('dialog').getByLabel('Plan').selectOption('starter');
    await page.getByText('0 of 2,000 compressions used').waitFor();
    const owner = await ConsolePage.open(browser, server);
    await owner.signIn(id);
    expect(await owner.page.locator('.left').textContent()).toBe('2,000 left');
    expect([...operator.problems, ...owner.problems]).toEqual([]);
    await Promise.all([operator.close(), owner.close()]);
  });

  test.skipIf(!there)('no page logged an error, broke its policy or asked anyone else', () => {
    expect(console.problems).toEqual([]);
  });

  async function statusWith(key: string): Promise<number> {
    return (await fetch(`${server.url}/api/usage`, { headers: { authorization: `Bearer ${key}` } })).status;
  }
});

/** Files dropped on the page, as a file manager drops them. */
async function drop({ page }: ConsolePage, files: readonly GivenFile[]): Promise<void> {
  await page.evaluate(
    (given) => {
      const transfer = new DataTransfer();
      for (const { name, mimeType, base64, length } of given) {
        const bytes =
          base64 === '' ? new Uint8Array(length) : Uint8Array.from(atob(base64), (sign) => sign.charCodeAt(0));
        transfer.items.add(new File([bytes], name, { type: mimeType }));
      }
      document.body.dispatchEvent(new DragEvent('drop', { dataTransfer: transfer, bubbles: true, cancelable: true }));
    },
    files.map(({ name, mimeType, buffer }) => ({
      name,
      mimeType,
      length: buffer.length,
      // The one that is too large is never read.
      base64: buffer.length > 20 * 1024 * 1024 ? '' : buffer.toString('base64'),
    })),
  );
}
