/**
 * A Content-Disposition that shows the file, or has it saved, and names it (RFC 6266, 4.3): `filename` for old clients, in which
 * letters lose their accents and other characters than plain ASCII become `_`, and `filename*` (RFC 8187) with the whole name.
 */
export function contentDisposition(fileName: string, type: 'inline' | 'attachment' = 'inline'): string {
  const name = fileName.toWellFormed();
  const ascii = name
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .replace(/[^\x20-\x7e]|["\\%]/gu, '_');
  return `${type}; filename="${ascii}"; filename*=UTF-8''${encodeExtended(name)}`;
}

/** encodeURIComponent leaves four characters as they are that RFC 8187's attr-char does not have. */
function encodeExtended(text: string): string {
  return encodeURIComponent(text).replace(/['()*]/g, (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`);
}
