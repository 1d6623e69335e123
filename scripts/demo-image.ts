import { crc32, deflateSync } from 'node:zlib';

const WIDTH = 1200;
const HEIGHT = 800;
const HORIZON = 560;
const SUN = { x: 790, y: 430, radius: 74 };
/** Ridges from the farthest to the nearest: crest height over the horizon, waviness, colour. */
const RIDGES = [
  { crest: 210, reach: 130, phase: 0.4, colour: [150, 106, 150] },
  { crest: 130, reach: 90, phase: 2.1, colour: [96, 74, 128] },
  { crest: 60, reach: 60, phase: 4.6, colour: [48, 44, 92] },
] as const;
type Colour = readonly [number, number, number];

/** The picture of the demo as a PNG file (1200×800, RGB): a sunset over hills and water, the same on every machine. */
export function demoImage(): Uint8Array {
  const rows = new Uint8Array(HEIGHT * (1 + WIDTH * 3));
  for (let y = 0, at = 0; y < HEIGHT; y++) {
    rows[at++] = 0;
    for (let x = 0; x < WIDTH; x++) {
      for (const channel of colourAt(x, y)) rows[at++] = Math.max(0, Math.min(255, Math.round(channel)));
    }
  }
  return png(rows);
}

function colourAt(x: number, y: number): Colour {
  if (y < HORIZON) return landscapeAt(x, y);
  // Water mirrors the landscape, darker with depth, broken by ripples that widen towards the viewer.
  const depth = (y - HORIZON) / (HEIGHT - HORIZON);
  const ripple = Math.sin(y * (0.9 - depth * 0.6) + Math.sin(x * 0.01) * 2) * (2 + depth * 14);
  const mirrored = landscapeAt(x + ripple, Math.max(0, HORIZON - (y - HORIZON) * 1.7 - Math.abs(ripple)));
  return mix(mirrored, [16, 28, 64], 0.25 + depth * 0.4);
}

function landscapeAt(x: number, y: number): Colour {
  for (let index = RIDGES.length - 1; index >= 0; index--) {
    const ridge = RIDGES[index]!;
    const crest = HORIZON - ridge.crest - ridge.reach * roughness(x / 260 + ridge.phase);
    if (y > crest) return mix(ridge.colour, [232, 150, 130], Math.max(0, 0.35 - (y - crest) / 500));
  }
  return skyAt(x, y);
}

function skyAt(x: number, y: number): Colour {
  const height = y / HORIZON;
  const sky =
    height < 0.55
      ? mix([38, 44, 110], [214, 96, 122], height / 0.55)
      : mix([214, 96, 122], [255, 206, 120], (height - 0.55) / 0.45);
  const distance = Math.hypot(x - SUN.x, y - SUN.y);
  if (distance < SUN.radius) return mix([255, 250, 214], [255, 214, 130], distance / SUN.radius);
  const cloud = Math.max(0, roughness(x / 330 + y / 60) * roughness(y / 46 - x / 700) - 0.12);
  return mix(mix(sky, [255, 228, 160], Math.exp((SUN.radius - distance) / 120) * 0.8), [255, 190, 170], cloud * 0.7);
}

/** A wavy function of one variable, about -1 … 1: waves of falling length and height. */
function roughness(t: number): number {
  return 0.55 * Math.sin(t) + 0.28 * Math.sin(2.3 * t + 1.7) + 0.12 * Math.sin(5.9 * t + 0.3) + 0.05 * Math.sin(17 * t);
}

function mix(a: Colour, b: Colour, share: number): Colour {
  return [a[0] + (b[0] - a[0]) * share, a[1] + (b[1] - a[1]) * share, a[2] + (b[2] - a[2]) * share];
}

/** A PNG file (W3C PNG, clause 5) of unfiltered 8-bit RGB rows, each with its filter byte in front. */
function png(rows: Uint8Array): Uint8Array {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(WIDTH, 0);
  header.writeUInt32BE(HEIGHT, 4);
  header.set([8, 2, 0, 0, 0], 8);
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  return Buffer.concat([
    signature,
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(rows)),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

function chunk(type: string, data: Uint8Array): Buffer {
  const typed = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const out = Buffer.alloc(typed.length + 8);
  out.writeUInt32BE(data.length, 0);
  out.set(typed, 4);
  out.writeUInt32BE(crc32(typed), typed.length + 4);
  return out;
}
