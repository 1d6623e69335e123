import { registry } from '../image/formats/registry.ts';

/** The extension, without its dot, of a stored result's media type. */
export function resultExtension(mediaType: string): string {
  return Object.values(registry).find((format) => format.mediaType === mediaType)?.extension ?? 'bin';
}
