import type { Row } from './queue.ts';

/** Pixels of a thumbnail's width; shown at half of it, for dense screens. */
const WIDTH = 160;
/** Decoded at once: a photo of 50 megapixels takes 200 MB while it is made small. */
const AT_ONCE = 2;

const waiting: Row[] = [];
let running = 0;

/** Makes the row's thumbnail when its turn comes. */
export function wantThumbnail(row: Row): void {
  if (row.thumbnail.value !== undefined) return;
  waiting.push(row);
  pump();
}

function pump(): void {
  while (running < AT_ONCE) {
    const row = waiting.shift();
    if (row === undefined) return;
    running++;
    draw(row.file)
      .then((picture) => {
        row.thumbnail.value = URL.createObjectURL(picture);
      })
      .catch(() => {
        // A format that this browser does not show, or a broken file: the row has a sign instead.
        row.thumbnail.value = null;
      })
      .finally(() => {
        running--;
        pump();
      });
  }
}

/** As a file, some kilobytes: bitmaps of hundreds of rows would take as many megabytes. */
async function draw(file: File): Promise<Blob> {
  const bitmap = await createImageBitmap(file, { resizeWidth: WIDTH, resizeQuality: 'medium' });
  const canvas = new OffscreenCanvas(bitmap.width, bitmap.height);
  canvas.getContext('2d')?.drawImage(bitmap, 0, 0);
  bitmap.close();
  return await canvas.convertToBlob({ type: 'image/webp', quality: 0.8 });
}
