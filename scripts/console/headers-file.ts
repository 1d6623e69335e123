/** What a page of ours may do: scripts, styles and calls of its own origin, pictures from memory, and nothing else. */
const contentSecurityPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' blob: data:",
  "connect-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
].join('; ');

/** Features that no page of ours uses, and that nothing put into one may use either. */
const features = ['camera', 'display-capture', 'geolocation', 'microphone', 'midi', 'payment', 'usb', 'serial', 'hid'];

const pageHeaders = {
  'Content-Security-Policy': contentSecurityPolicy,
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Permissions-Policy': features.map((feature) => `${feature}=()`).join(', '),
  'Referrer-Policy': 'no-referrer',
  'X-Content-Type-Options': 'nosniff',
};

/** Files whose names change with their content. */
const immutable = { 'Cache-Control': 'public, max-age=31536000, immutable' };

/** The file `_headers` of the Worker's assets. */
export function headersFile(): string {
  const rules: readonly (readonly [string, Readonly<Record<string, string>>])[] = [
    ['/console/*', pageHeaders],
    ['/docs/*', pageHeaders],
    ['/console/assets/*', immutable],
  ];
  return rules
    .map(([path, headers]) =>
      [path, ...Object.entries(headers).map(([name, value]) => `  ${name}: ${value}`)].join('\n'),
    )
    .join('\n\n')
    .concat('\n');
}
