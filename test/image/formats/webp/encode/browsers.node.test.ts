import '../../../../../scripts/engine/load-wasm.ts';
import { readFileSync } from 'node:fs';
import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { type BrowserName, shownBy } from '../../../../support/browser.ts';
import { corpusFiles, fileBytes } from '../../../../support/corpus-files.ts';
import { hasProgram, hasTool, inFolder, run } from '../../../../support/native-tool.ts';
import { pamPixels } from '../../../../support/pam-pixels.ts';
import { type SyntheticPicture, syntheticPicture } from '../../../../support/synthetic-picture.ts';

const { encodeFile } = await import('./encode-file.ts');

/** A canvas keeps colours multiplied with their opacity, of 0–255: what comes back of a translucent one differs by so much. */
const mostOff = (opacity: number) => Math.ceil(255 / opacity);

async function files(): Promise<Map<string, Uint8Array>> {
  const made = [
    ['photo', 301, 203, 82],
    ['photo', 130, 97, 10],
    ['noise', 65, 33, 95],
    ['flat', 40, 40, 75],
    ['photo', 1, 1, 60],
    ['photo', 16_383, 3, 75],
    ['photo', 5, 16_383, 75],
  ] as const;
  const result = new Map<string, Uint8Array>();
  for (const [kind, width, height, quality] of made) {
    result.set(`${kind}-${width}-${height}`, await encodeFile(syntheticPicture(kind, width, height), quality));
  }
  for (const kind of ['photo', 'noise'] as const) {
    result.set(`translucent-${kind}`, await encodeFile(syntheticPicture(kind, 150, 77, true), 80));
  }
  for (const file of corpusFiles('photos', '.jpg').slice(0, 2)) {
    result.set(encodeURIComponent(file.name), await encodeFile(await small(fileBytes(file)), 82));
  }
  return result;
}

async function small(file: Uint8Array): Promise<SyntheticPicture> {
  const picture = sharp(file).resize(403).removeAlpha().ensureAlpha().raw();
  const { data, info } = await picture.toBuffer({ resolveWithObject: true });
  return {
    frame: { width: info.width, height: info.height, alpha: false, model: 'rgb' },
    pixels: new Uint8Array(data),
  };
}

function shownByDwebp(file: Uint8Array): Promise<Uint8Array> {
  return inFolder((write) => {
    const path = write('picture.webp', file);
    run('dwebp', '-quiet', '-pam', path, '-o', `${path}.pam`);
    return pamPixels(readFileSync(`${path}.pam`));
  });
}

/** Samples that differ by more than a canvas may change them. */
function wrongSamples(shown: Uint8Array, expected: Uint8Array): number {
  if (shown.length !== expected.length) return Number.POSITIVE_INFINITY;
  let wrong = 0;
  for (let at = 0; at < expected.length; at += 4) {
    const opacity = expected[at + 3]!;
    if (shown[at + 3] !== opacity) wrong++;
    if (opacity === 0) continue;
    const most = opacity === 255 ? 0 : mostOff(opacity);
    for (let channel = at; channel < at + 3; channel++) {
      if (Math.abs(shown[channel]! - expected[channel]!) > most) wrong++;
    }
  }
  return wrong;
}

describe.skipIf(!hasTool('dwebp'))('browsers show exactly what dwebp decodes', () => {
  it.for(['chromium', 'firefox-esr'] as const)(
    '%s',
    { timeout: 120_000 },
    async (browser: BrowserName, { skip, signal }) => {
      if (!hasProgram(browser)) skip(`${browser} is not installed`);
      const encoded = await files();
      const shown = await shownBy(browser, encoded, signal);
      expect([...shown.keys()]).toEqual([...encoded.keys()]);
      for (const [name, file] of encoded)
        expect(wrongSamples(shown.get(name)!, await shownByDwebp(file)), name).toBe(0);
    },
  );
});
