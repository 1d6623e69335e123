import { registry } from './formats/registry.ts';
import type { ImageHeader } from './header.ts';
import { identify } from './identify.ts';
import type { JobWorkspace } from './job-workspace.ts';
import type { SourceFile } from './source-file.ts';
import { wholeFile } from './whole-file.ts';

/**
 * Finds the format of a file by content and reads its header. A file that is not held is in the arena for this long: it is
 * there before the picture needs it, so headers may be anywhere in a file at no cost.
 * @throws FileError unsupported_image, broken_image
 */
export async function readHeader(file: SourceFile, workspace: JobWorkspace): Promise<ImageHeader> {
  const bytes = await wholeFile(file, workspace);
  const header = await identify(bytes);
  if (file.held !== undefined) return header;
  const indexed = registry[header.format].index?.(bytes, header) ?? header;
  const { profile } = indexed;
  return profile?.kind === 'icc' ? { ...indexed, profile: { ...profile, bytes: profile.bytes.slice() } } : indexed;
}
