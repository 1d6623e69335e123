import { FileError } from '../errors.ts';
import { budget, MAX_CPU_SECONDS, MAX_PIXELS, MAX_SIDE } from './budget.ts';
import type { Cost, DecodePlan, FormatId } from './formats/format.ts';
import { registry } from './formats/registry.ts';
import { type Frame, frameBytes } from './frame.ts';
import type { ImageHeader } from './header.ts';
import type { ImageOptions } from './options.ts';
import { resampleBytes } from './resample/resample.ts';
import { HELD_BYTES } from './source-file.ts';

const names: Readonly<Record<FormatId, string>> = { webp: 'WebP', avif: 'AVIF', jpg: 'JPEG', png: 'PNG' };
const articles: Readonly<Record<FormatId, string>> = { webp: 'A', avif: 'An', jpg: 'A', png: 'A' };

/** Refuses what no plan can be made for. @throws FileError animated_image, image_too_large */
export function checkSource({ animated, format, width, height }: ImageHeader): void {
  if (animated) {
    const message = `This ${names[format]} is animated, and animation is not supported yet. Send a still picture.`;
    throw new FileError('animated_image', message);
  }
  if (width * height > MAX_PIXELS || width > MAX_SIDE || height > MAX_SIDE) {
    const limit = `at most ${count(MAX_PIXELS / 1e6)} megapixels and ${count(MAX_SIDE)} pixels a side are accepted`;
    throw new FileError(
      'image_too_large',
      `The picture has ${size({ width, height })}; ${limit}. Send a smaller picture.`,
    );
  }
}

/** Refuses an output that its format cannot hold. @throws FileError image_too_large */
export function checkOutputSide(frame: Frame, format: FormatId): void {
  const { maxSide } = registry[format];
  if (frame.width <= maxSide && frame.height <= maxSide) return;
  throw new FileError(
    'image_too_large',
    `${articles[format]} ${names[format]} has at most ${count(maxSide)} pixels a side, and this one would have ${size(frame)}. ` +
      `Set maxWidth and maxHeight to ${maxSide} or less, or ask for another format.`,
  );
}

/** Refuses what does not fit one isolate, and says what would. @throws FileError image_too_large */
export function checkBudget(p: {
  readonly header: ImageHeader;
  readonly decode: DecodePlan;
  readonly frame: Frame;
  readonly memory: { readonly decode: Cost; readonly encode: Cost };
  readonly options: ImageOptions;
  readonly fileBytes: number;
}): void {
  const { header, decode, frame, memory, options } = p;
  const file = decode.fileIn === 'heap' ? p.fileBytes : 0;
  const source = { ...decode.cost, buffers: decode.cost.buffers + file };
  const over = excess(source, arenaFor(decode, p.fileBytes));
  if (over > 1) {
    const share = Math.floor((header.width * header.height) / over / 1e5) / 10;
    throw new FileError(
      'image_too_large',
      `This ${names[header.format]} has ${size(header)}, which takes more memory to decode than there is. Send at most about ` +
        `${share} megapixels in this format, or send the picture as JPEG or PNG.`,
    );
  }
  if (fitsBudget(memory, decode, p.fileBytes)) return;
  const fitting = fittingMegapixels(p);
  throw new FileError(
    'image_too_large',
    `${articles[options.format]} ${names[options.format]} of ${size(frame)} takes more memory to make than there is. Set maxWidth or maxHeight so ` +
      `that the result has at most about ${fitting} megapixels.`,
  );
}

/** Refuses what would take longer than a job may compute. @param cpuSeconds estimated @throws FileError image_too_large */
export function checkTime(cpuSeconds: number, header: ImageHeader, frame: Frame, { format }: ImageOptions): void {
  if (cpuSeconds <= MAX_CPU_SECONDS) return;
  const share = (frame.width * frame.height * MAX_CPU_SECONDS) / cpuSeconds / 1e6;
  throw new FileError(
    'image_too_large',
    `${articles[format]} ${names[format]} of ${size(frame)} from this ${names[header.format]} may take ${count(Math.ceil(cpuSeconds))} seconds of computing, and ` +
      `at most ${count(MAX_CPU_SECONDS)} are allowed. Set maxWidth or maxHeight so that the result has at most about ` +
      `${Math.max(0.1, Math.floor(share * 5) / 10)} megapixels, or ask for another format.`,
  );
}

/** Whether both stages of a job fit one isolate. @param most bytes of the arena */
export function fitsBudget(
  memory: { readonly decode: Cost; readonly encode: Cost },
  source: DecodePlan,
  fileBytes: number,
  most = arenaFor(source, fileBytes),
): boolean {
  return excess(memory.decode, most) <= 1 && excess(memory.encode, most) <= 1;
}

/** Bytes of the arena that a job may take: all of it only where the picture or its large file must be there whole. */
export function arenaFor({ cost, fileIn }: DecodePlan, fileBytes: number): number {
  const whole = cost.library !== undefined || (fileIn === 'arena' && fileBytes > HELD_BYTES);
  return whole ? budget.arena : budget.streamed;
}

/** From one guess to the next: each takes a plan. */
const STEP = 0.97;

/** Megapixels of a result of this shape that fits, in tenths: whoever follows the advice must not be refused again. */
function fittingMegapixels({ decode, frame, memory, options, fileBytes }: Parameters<typeof checkBudget>[0]): number {
  const most = arenaFor(decode, fileBytes);
  const pixels = frame.width * frame.height;
  const beside = Math.max(0, memory.decode.buffers - frameBytes(frame));
  for (let tenths = Math.floor(pixels / 1e5); tenths > 0; tenths = Math.min(tenths - 1, Math.floor(tenths * STEP))) {
    const share = Math.sqrt((tenths * 1e5) / pixels);
    const smaller = { ...frame, width: Math.ceil(frame.width * share), height: Math.ceil(frame.height * share) };
    const { buffers, ...cost } = registry[options.format].planEncode(smaller, options).cost;
    const whole = frameBytes(smaller);
    const arena = cost.arena + resampleBytes(decode.frame, smaller);
    if (excess({ ...cost, arena, buffers: whole + Math.max(buffers, beside) }, most) <= 1) return tenths / 10;
  }
  return 0.1;
}

/** How many times the budget a cost takes. */
function excess({ arena, library = 0, buffers }: Cost, mostArena: number): number {
  return Math.max((arena + library) / mostArena, buffers / budget.buffers);
}

function size({ width, height }: { readonly width: number; readonly height: number }): string {
  return `${count(width)} × ${count(height)} pixels`;
}

function count(value: number): string {
  return value.toLocaleString('en-US');
}
