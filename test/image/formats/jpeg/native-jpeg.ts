import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

const corpus = join(import.meta.dirname, '../../../../../shared/corpus');

const quiet: { maxBuffer: number; stdio: ['pipe', 'pipe', 'ignore'] } = {
  maxBuffer: 2 ** 30,
  stdio: ['pipe', 'pipe', 'ignore'],
};

/** A PPM with smooth areas, edges and noise, the same for the same sides. */
export function testPpm(width: number, height: number): Buffer {
  const pixels = Buffer.alloc(width * height * 3);
  let noise = (width * 7919 + height) | 1;
  for (let y = 0, at = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      noise = (Math.imul(noise, 1_103_515_245) + 12_345) | 0;
      const edge = (x >> 3) % 2 === (y >> 2) % 2 ? 90 : 0;
      pixels[at++] = Math.min(255, x * 5 + edge) & 255;
      pixels[at++] = (y * 7 + ((noise >> 16) & 63)) & 255;
      pixels[at++] = (255 - x * 3 + y * 2) & 255;
    }
  }
  return Buffer.concat([Buffer.from(`P6\n${width} ${height}\n255\n`), pixels]);
}

/** libjpeg-turbo's encoder. */
export function cjpeg(ppm: Buffer, ...args: string[]): Uint8Array {
  return new Uint8Array(execFileSync('cjpeg', args, { ...quiet, input: ppm }));
}

/** libjpeg-turbo's lossless transformer. */
export function jpegtran(file: Uint8Array, ...args: string[]): Uint8Array {
  return new Uint8Array(execFileSync('jpegtran', args, { ...quiet, input: file }));
}

/** The same coefficients in other scans. @param script as of libjpeg's wizard.txt */
export function rescanned(file: Uint8Array, script: string): Uint8Array {
  const path = join(mkdtempSync(join(tmpdir(), 'plume-scans-')), 'scans.txt');
  writeFileSync(path, script);
  try {
    return jpegtran(file, '-scans', path);
  } finally {
    rmSync(dirname(path), { recursive: true });
  }
}

/** libjpeg-turbo's decoder with its default settings. @returns RGB, three bytes a pixel */
export function djpeg(file: Uint8Array, scale = 1): Uint8Array {
  // By a path and not by a pipe: djpeg closes its input at EOI, and some files go on behind it.
  const path = join(mkdtempSync(join(tmpdir(), 'plume-djpeg-')), 'file.jpg');
  writeFileSync(path, file);
  const { status, stdout: ppm } = spawnSync('djpeg', ['-rgb', '-scale', `1/${scale}`, path], quiet);
  rmSync(dirname(path), { recursive: true });
  // 2: with warnings, as for files that end early.
  if (status !== 0 && status !== 2) throw new Error(`djpeg failed: ${status}`);
  const lines = ppm.subarray(0, 64).toString('latin1').split('\n', 3).join('\n');
  return ppm.subarray(lines.length + 1);
}

/** Whether libjpeg-turbo's tools are installed here. */
export function hasNativeJpeg(): boolean {
  try {
    execFileSync('djpeg', ['-version'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

/** Largest difference between the colours of RGBA and RGB pixels; alpha must be opaque. */
export function largestDifference(rgba: Uint8Array, rgb: Uint8Array): number {
  if (rgba.length / 4 !== rgb.length / 3) return Number.POSITIVE_INFINITY;
  let largest = 0;
  for (let at = 0, to = 0; at < rgba.length; at += 4, to += 3) {
    const red = Math.abs(rgba[at]! - rgb[to]!);
    const green = Math.abs(rgba[at + 1]! - rgb[to + 1]!);
    const blue = Math.abs(rgba[at + 2]! - rgb[to + 2]!);
    largest = Math.max(largest, red, green, blue, 255 - rgba[at + 3]!);
  }
  return largest;
}

/** Pixels of RGBA that are not the RGB pixels. */
export function differingPixels(rgba: Uint8Array, rgb: Uint8Array): number {
  if (rgba.length / 4 !== rgb.length / 3) return Number.POSITIVE_INFINITY;
  let differing = 0;
  for (let at = 0, to = 0; at < rgba.length; at += 4, to += 3) {
    if (rgba[at] !== rgb[to] || rgba[at + 1] !== rgb[to + 1] || rgba[at + 2] !== rgb[to + 2]) differing++;
  }
  return differing;
}

/** Largest difference between the means of RGBA and RGB pixels over whole squares of 8 × 8. */
export function largestDifferenceOfMeans(rgba: Uint8Array, rgb: Uint8Array, width: number): number {
  if (rgba.length / 4 !== rgb.length / 3) return Number.POSITIVE_INFINITY;
  const height = rgba.length / 4 / width;
  let largest = 0;
  for (let top = 0; top + 8 <= height; top += 8) {
    for (let left = 0; left + 8 <= width; left += 8) {
      for (let channel = 0; channel < 3; channel++) {
        let sum = 0;
        for (let at = 0; at < 64; at++) {
          const pixel = (top + (at >> 3)) * width + left + (at & 7);
          sum += rgba[pixel * 4 + channel]! - rgb[pixel * 3 + channel]!;
        }
        largest = Math.max(largest, Math.abs(sum / 64));
      }
    }
  }
  return largest;
}

/** A file of the shared corpus; undefined, and said so, where it is not there. */
export function corpusFile(path: string): Uint8Array | undefined {
  try {
    return new Uint8Array(readFileSync(join(corpus, path)));
  } catch {
    console.log(`skipped: corpus file ${path}`);
    return undefined;
  }
}

/** Paths of the JPEG files in one folder of the corpus; none, and said so, where it is not there. */
export function corpusFiles(folder: string): string[] {
  try {
    return readdirSync(join(corpus, folder))
      .filter((name) => name.endsWith('.jpg'))
      .map((name) => `${folder}/${name}`);
  } catch {
    console.log(`skipped: corpus folder ${folder}`);
    return [];
  }
}
