import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { guideOrder } from '../../scripts/console/docs/guide.ts';
import { scene } from '../conformance/support/pictures.ts';
import { Server } from '../conformance/support/server.ts';
import { account, adminCall } from './console/support/console-page.ts';

const root = join(import.meta.dirname, '../..');
const server = new Server();
const folder = mkdtempSync(join(tmpdir(), 'plume-docs-'));
let key: string;

beforeAll(async () => {
  await server.start();
  const id = await account(server, 'agency');
  key = String((await adminCall(server, `/admin/accounts/${id}/keys`, { label: 'Docs', kind: 'api' })).key);
  writeFileSync(join(folder, 'photo.jpg'), await scene(400, 300).jpeg({ quality: 95 }).toBuffer());
  writeFileSync(join(folder, 'screen.png'), await scene(320, 200).png().toBuffer());
});
afterAll(async () => {
  await server.dispose();
  rmSync(folder, { recursive: true });
});

/** The blocks of a guide in a language, each with the line that it begins on. */
function blocks(slug: string, language: string) {
  const text = readFileSync(join(root, `docs/guides/${slug}.md`), 'utf8');
  return [...text.matchAll(new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\`$`, 'gm'))].map(
    ({ 1: code, index }) => ({
      line: text.slice(0, index).split('\n').length,
      code: code!,
    }),
  );
}

const environment = () => ({ ...process.env, PLUME_URL: server.url, PLUME_API_KEY: key });
const run = promisify(execFile);

describe.for(guideOrder)('the guide %s', (slug) => {
  for (const { line, code } of blocks(slug, 'sh')) {
    if (code.startsWith('export ')) continue;
    test(`its command on line ${line} works as it stands`, async () => {
      const { stdout } = await run('bash', ['-euo', 'pipefail', '-c', code], { cwd: folder, env: environment() });
      // What it shows is either what it promises or, in the guide on errors, the error that it is about.
      if (slug === 'errors') expect(stdout).toContain('"error":"invalid_request"');
      else expect(stdout).not.toContain('"error":');
      if (stdout !== '' && slug !== 'errors')
        expect(stdout).toMatch(/"data"|"plan"|"batches"|"status"|HTTP\/1\.1 202|event: done/);
    });
  }

  for (const { line, code } of blocks(slug, 'js')) {
    test(`its program on line ${line} works as it stands`, async () => {
      writeFileSync(
        join(folder, 'program.mjs'),
        code.replaceAll("'@plume/client'", `'${join(root, 'packages/client/src/plume.ts')}'`),
      );
      const { stdout } = await run(process.execPath, ['program.mjs'], { cwd: folder, env: environment() });
      expect(stdout).toMatch(/photo\.avif|done/);
    });
  }
});

test('every page of the documentation is served, without a script in the page itself', async () => {
  for (const path of ['/docs/', '/docs/api/', ...guideOrder.map((slug) => `/docs/${slug}/`)]) {
    const answer = await fetch(server.url + path);
    expect({ path, status: answer.status }).toEqual({ path, status: 200 });
    expect(answer.headers.get('content-security-policy')).toContain("default-src 'none'");
    const html = await answer.text();
    expect(html).not.toMatch(/<script(?![^>]*src="\/docs\/docs\.js")|<style|style="/);
    for (const [, address] of html.matchAll(/href="(\/docs\/[^"#]*)/g)) {
      expect({ address, status: (await fetch(server.url + address!)).status }).toEqual({ address, status: 200 });
    }
  }
});

test('the reference has every call of the interface', async () => {
  const html = await (await fetch(`${server.url}/docs/api/`)).text();
  const { paths } = (await (await fetch(`${server.url}/openapi.json`)).json()) as {
    paths: Record<string, Record<string, { operationId: string }>>;
  };
  for (const operations of Object.values(paths)) {
    for (const { operationId } of Object.values(operations)) expect(html).toContain(`id="${operationId}"`);
  }
});

test('the pages beside the API leave its answers as they were', async () => {
  for (const path of ['/', '/nothing', '/api/nothing', '/consoles']) {
    const answer = await fetch(server.url + path);
    expect({ path, type: answer.headers.get('content-type') }).toEqual({
      path,
      type: expect.stringMatching(/^application\/json/),
    });
  }
});
