/** A header value with parameters: `form-data; name="file"` (RFC 9110, 5.6.6). */
export interface HeaderValue {
  /** What stands before the first semicolon, in lower case. */
  readonly value: string;
  /** By lower-case name; the first of a repeated name counts. */
  readonly parameters: ReadonlyMap<string, string>;
}

/** Parameters that are read; what more there are is passed over. A part has two or three. */
const MOST = 32;

// One parameter: its name, then a quoted string, a quoted string whose last character is a bare backslash (browsers do
// not escape it), or anything up to the next semicolon. The alternatives exclude each other, so matching stays linear.
const PARAMETER = /;\s*([^=;\s]+)\s*=\s*(?:"((?:\\["\\]|\\(?!["\\])|[^"\\])*)"|"([^"]*)"|([^;]*))/y;

/**
 * Reads a header value and its parameters. Lenient where it does no harm: unquoted values may hold spaces, what is no
 * parameter is passed over, a backslash escapes only a quote or another backslash (so `C:\a.jpg` keeps its own).
 */
export function headerParameters(header: string): HeaderValue {
  const end = header.indexOf(';');
  const value = (end < 0 ? header : header.slice(0, end)).trim().toLowerCase();
  const parameters = new Map<string, string>();
  let at = end;
  for (let read = 0; at >= 0 && read < MOST; read++) {
    PARAMETER.lastIndex = at;
    const match = PARAMETER.exec(header);
    if (match !== null) {
      const [, name = '', quoted, bare, token = ''] = match;
      if (!parameters.has(name.toLowerCase())) {
        parameters.set(name.toLowerCase(), quoted?.replace(/\\(["\\])/g, '$1') ?? bare ?? token.trim());
      }
    }
    at = header.indexOf(';', match === null ? at + 1 : PARAMETER.lastIndex);
  }
  return { value, parameters };
}

/** Decodes an extended value, `UTF-8''na%C3%AFve.jpg` (RFC 8187, 3.2); undefined where it is none. */
export function extendedValue(text: string): string | undefined {
  const match = /^([^']*)'[^']*'(.*)$/s.exec(text);
  if (match === null) return undefined;
  const [, charset = '', encoded = ''] = match;
  switch (charset.toLowerCase()) {
    case 'utf-8':
      return decodeUtf8(encoded);
    case 'iso-8859-1':
      return decodeLatin1(encoded);
    default:
      return undefined;
  }
}

function decodeUtf8(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}

function decodeLatin1(text: string): string {
  return text.replace(/%([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
}
