/** The prefix makes browsers take it only with Secure, Path=/ and no Domain, so that no neighbour can set it (RFC 6265bis, 4.1.3.2). */
const NAME = '__Host-plume_session';
const ATTRIBUTES = 'Path=/; Secure; HttpOnly; SameSite=Strict';

/** The value of the session's cookie in a Cookie header; undefined without one, empty where there are several. */
export function readSessionCookie(header: string | undefined): string | undefined {
  const values = (header ?? '').split(';').flatMap((pair) => {
    const [name = '', ...value] = pair.split('=');
    return name.trim() === NAME ? [value.join('=').trim()] : [];
  });
  return values.length > 1 ? '' : values[0];
}

/** A Set-Cookie header that keeps a session for so many seconds. */
export function sessionCookie(secret: string, seconds: number): string {
  return `${NAME}=${secret}; Max-Age=${seconds}; ${ATTRIBUTES}`;
}

/** A Set-Cookie header that takes the session away. */
export const endedSessionCookie = sessionCookie('', 0);
