import type { ResultItem } from '@plume/client';
import { plume } from '../session/session.ts';
import type { Row } from './queue.ts';

/**
 * Where a result lies, at this page's own origin: the service may name itself by another of its names, which the page's policy would
 * not let it read.
 */
export function resultAddress({ downloadUrl }: Pick<ResultItem, 'downloadUrl'>): string {
  const { pathname, search } = new URL(downloadUrl, location.href);
  return pathname + search;
}

/** Lets the browser save what is at an address. */
export function save(address: string, name: string): void {
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  document.body.append(link);
  link.click();
  link.remove();
}

/** Saves one ZIP of the results, put together by the service. @throws PlumeError */
export async function saveZip(items: readonly ResultItem[], name: string): Promise<void> {
  const { downloadUrl } = await plume.zip(items, name);
  save(resultAddress({ downloadUrl }), `${name}.zip`);
}

interface Picker {
  showDirectoryPicker?: (options: { mode: 'readwrite' }) => Promise<FileSystemDirectoryHandle>;
}

/** Whether this browser can write into a folder that a person chooses. */
export const canSaveToFolder = typeof (window as Picker).showDirectoryPicker === 'function';

/**
 * Writes results into a folder that the person chooses, in the folders that their originals came with.
 * @returns how many were written; undefined when no folder was chosen
 */
export async function saveToFolder(rows: readonly Row[]): Promise<number | undefined> {
  const root = await (window as Picker).showDirectoryPicker?.({ mode: 'readwrite' }).catch((error: unknown) => {
    if (error instanceof DOMException && error.name === 'AbortError') return undefined;
    throw error;
  });
  if (root === undefined) return undefined;
  let written = 0;
  for (const { folder, state } of rows) {
    if (state.value.kind !== 'done') continue;
    const { item } = state.value;
    const place = await subfolder(root, folder.split('/').filter(Boolean));
    const response = await fetch(resultAddress(item));
    if (!response.ok || response.body === null) throw new Error(`${item.newName}: ${response.status}`);
    const handle = await place.getFileHandle(item.newName, { create: true });
    await response.body.pipeTo(await handle.createWritable());
    written++;
  }
  return written;
}

async function subfolder(
  root: FileSystemDirectoryHandle,
  names: readonly string[],
): Promise<FileSystemDirectoryHandle> {
  let folder = root;
  for (const name of names) folder = await folder.getDirectoryHandle(name, { create: true });
  return folder;
}
