import { scene } from '../../../conformance/support/pictures.ts';

export interface GivenFile {
  readonly name: string;
  readonly mimeType: string;
  readonly buffer: Buffer;
}

/** Small pictures of their own, as a camera or an editor would write them. */
export async function pictureFiles(count: number): Promise<GivenFile[]> {
  const sizes = Array.from({ length: count }, (_, at) => 240 + at * 8);
  return Promise.all(
    sizes.map(async (width, at) => ({
      name: `picture-${String(at + 1).padStart(2, '0')}.jpg`,
      mimeType: 'image/jpeg',
      buffer: await scene(width, 180).jpeg({ quality: 95 }).toBuffer(),
    })),
  );
}

/** A JPEG that ends in the middle. */
export async function brokenFile(name = 'broken.jpg'): Promise<GivenFile> {
  const whole = await scene(640, 480).jpeg({ quality: 95 }).toBuffer();
  return { name, mimeType: 'image/jpeg', buffer: whole.subarray(0, whole.length / 3) };
}

/** One byte more than the service takes. */
export function tooLargeFile(): GivenFile {
  return { name: 'too-large.jpg', mimeType: 'image/jpeg', buffer: Buffer.alloc(20 * 1024 * 1024 + 1) };
}

/** 12 megapixels, as a phone's camera makes. */
export async function photoFile(): Promise<GivenFile> {
  const buffer = await scene(4032, 3024).jpeg({ quality: 85 }).toBuffer();
  return { name: 'photo.jpg', mimeType: 'image/jpeg', buffer };
}
