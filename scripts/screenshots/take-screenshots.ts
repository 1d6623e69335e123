import { join } from 'node:path';
import { chromium, type Page } from 'playwright-core';
import sharp from 'sharp';

interface Shots {
  /** Signs in once. */
  readonly link: string;
  /** Chromium's program. */
  readonly program: string;
  readonly photos: readonly string[];
  readonly out: string;
}

const DONE_WITHIN_MS = 120_000;

/** Goes through the console as a newcomer would, and keeps a picture of every stop; of some a dark and a narrow one too. */
export async function takeScreenshots({ link, program, photos, out }: Shots): Promise<void> {
  const browser = await chromium.launch({ executablePath: program, args: ['--no-sandbox', '--disable-gpu'] });
  const page = await browser.newPage({ viewport: { width: 1280, height: 800 }, deviceScaleFactor: 1, locale: 'en' });
  const keep = async (name: string) => {
    const taken = await page.screenshot({ animations: 'disabled' });
    await sharp(taken)
      .webp({ quality: 88, smartSubsample: true })
      .toFile(join(out, `${name}.webp`));
  };
  await page.goto(new URL('/console/', link).href);
  await page.getByRole('heading', { name: 'Sign in' }).waitFor();
  await keep('sign-in');
  await page.goto(link);
  await page.getByRole('heading', { name: 'Optimise images' }).waitFor();
  await keep('empty');
  await work(page, photos, keep);
  await compare(page, keep);
  await others(page, keep);
  await browser.close();
}

type Keep = (name: string) => Promise<void>;

async function work(page: Page, photos: readonly string[], keep: Keep): Promise<void> {
  await page.locator('input[type=file][data-folder=false]').setInputFiles([...photos]);
  await page
    .locator('.file .thumbnail img')
    .nth(photos.length - 1)
    .waitFor();
  await keep('chosen');
  await page.locator('.start-bar .primary').click();
  await page.locator('[data-state=running], [data-state=queued]').first().waitFor();
  await keep('working');
  await page.locator('.results .primary').waitFor({ timeout: DONE_WITHIN_MS });
  await page
    .locator('[data-state=done]')
    .nth(photos.length - 1)
    .waitFor({ timeout: DONE_WITHIN_MS });
  await keep('done');
  await dark(page, () => keep('done-dark'));
  await narrow(page, () => keep('done-narrow'));
}

async function compare(page: Page, keep: Keep): Promise<void> {
  await page
    .getByRole('button', { name: /^Compare .+/ })
    .nth(1)
    .click();
  await page.locator('.stage-wait').waitFor({ state: 'detached' });
  await keep('compare');
  await page.getByRole('button', { name: 'Difference' }).click();
  await keep('difference');
  await page.getByRole('button', { name: 'Difference' }).click();
  await narrow(page, () => keep('compare-narrow'));
  await page.keyboard.press('Escape');
}

async function others(page: Page, keep: Keep): Promise<void> {
  await page.getByRole('link', { name: 'History' }).click();
  await page.locator('details.batch summary').first().click();
  await page.locator('.batch-files a').first().waitFor();
  await keep('history');
  await page.getByRole('link', { name: 'Usage', exact: true }).click();
  await page.locator('.chart').waitFor();
  await keep('usage');
  await page.getByRole('link', { name: 'API keys' }).click();
  await page.locator('.key-list, .blank').waitFor();
  await keep('keys');
  await page.goto(new URL('/docs/', page.url()).href);
  await keep('docs');
  await page.goto(new URL('/docs/api/', page.url()).href);
  await keep('reference');
}

async function dark(page: Page, look: () => Promise<void>): Promise<void> {
  await page.emulateMedia({ colorScheme: 'dark' });
  await look();
  await page.emulateMedia({ colorScheme: 'light' });
}

async function narrow(page: Page, look: () => Promise<void>): Promise<void> {
  await page.setViewportSize({ width: 390, height: 800 });
  await look();
  await page.setViewportSize({ width: 1280, height: 800 });
}
