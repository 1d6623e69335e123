/** A file and the folder that it came with, with a slash at its end; empty when it came alone. */
export interface GivenFile {
  readonly file: File;
  readonly folder: string;
}

export interface GivenFiles {
  readonly files: readonly GivenFile[];
  /** Files of folders that are no pictures, by their name. */
  readonly passedOver: number;
}

const pictureName = /\.(jpe?g|jfif|png|apng|webp|avif|gif|bmp|tiff?|ico|heic|heif|dng|cr2|cr3|nef|arw|raf|orf|rw2)$/i;

/** What a drop or a paste holds, folders with all that is in them. Must be called while the event is handled. */
export async function givenFiles(data: DataTransfer): Promise<GivenFiles> {
  const entries = [...data.items].flatMap((item) => {
    const entry = item.kind === 'file' ? item.webkitGetAsEntry?.() : null;
    return entry ? [entry] : [];
  });
  if (entries.length === 0) return alone([...data.files]);
  const found: GivenFiles[] = [];
  // One after another: a folder of thousands must not open thousands of handles.
  for (const entry of entries) found.push(await walk(entry, ''));
  return joined(found);
}

/** What a file field holds; of a folder's field the paths are known. */
export function chosenFiles(list: FileList): GivenFiles {
  const files = [...list];
  if (!files.some(({ webkitRelativePath }) => webkitRelativePath !== '')) return alone(files);
  const pictures = files.filter(isPicture);
  return {
    files: pictures.map((file) => ({ file, folder: file.webkitRelativePath.replace(/[^/]*$/, '') })),
    passedOver: files.length - pictures.length,
  };
}

function alone(files: readonly File[]): GivenFiles {
  return { files: files.map((file) => ({ file, folder: '' })), passedOver: 0 };
}

async function walk(entry: FileSystemEntry, folder: string): Promise<GivenFiles> {
  if (entry.isFile) {
    const file = await new Promise<File>((resolve, reject) => (entry as FileSystemFileEntry).file(resolve, reject));
    // Who picks a file means it, whatever its name is; who picks a folder means its pictures.
    if (folder === '' || isPicture(file)) return { files: [{ file, folder }], passedOver: 0 };
    return { files: [], passedOver: isHidden(file.name) ? 0 : 1 };
  }
  const inside: GivenFiles[] = [];
  const path = `${folder}${entry.name}/`;
  for (const child of await entriesOf(entry as FileSystemDirectoryEntry)) inside.push(await walk(child, path));
  return joined(inside);
}

/** A reader gives a folder out in portions, an empty one at the end. */
async function entriesOf(folder: FileSystemDirectoryEntry): Promise<FileSystemEntry[]> {
  const reader = folder.createReader();
  const all: FileSystemEntry[] = [];
  for (;;) {
    const portion = await new Promise<FileSystemEntry[]>((resolve, reject) => reader.readEntries(resolve, reject));
    if (portion.length === 0) return all.filter(({ name }) => !isHidden(name));
    all.push(...portion);
  }
}

function joined(parts: readonly GivenFiles[]): GivenFiles {
  return {
    files: parts.flatMap(({ files }) => files),
    passedOver: parts.reduce((sum, { passedOver }) => sum + passedOver, 0),
  };
}

function isPicture({ name, type }: File): boolean {
  return !isHidden(name) && (type.startsWith('image/') || pictureName.test(name));
}

function isHidden(name: string): boolean {
  return name.startsWith('.') || name === 'Thumbs.db' || name === '__MACOSX';
}
