import { RequestError } from '../errors.ts';

/** The same instant in UTC. @param now ms since the epoch @throws RequestError invalid_request */
export function futureInstant(expiresAt: string, now: number): string {
  const instant = Date.parse(expiresAt);
  if (instant > now) return new Date(instant).toISOString();
  throw new RequestError('invalid_request', `expiresAt must be in the future; received "${expiresAt}".`);
}
