import { limits } from '../limits.ts';

/** How long (seconds, 1 … 86,400; 90 when absent) a reservation holds that nobody renews. */
export interface ReservationVars {
  readonly RESERVATION_TTL_SECONDS?: string;
}

const DEFAULT_SECONDS = 90;

/** Milliseconds for which a reservation holds. @throws Error when the variable is wrong, for the operator */
export function reservationTtl({ RESERVATION_TTL_SECONDS: text }: ReservationVars): number {
  const seconds = Number(text?.trim() || DEFAULT_SECONDS);
  if (Number.isInteger(seconds) && seconds >= 1 && seconds <= 86_400) return seconds * 1000;
  throw new Error(`RESERVATION_TTL_SECONDS must be a whole number from 1 to 86400, not "${text}"`);
}

/** Milliseconds after which a batch under way renews it: three times before it lapses, and no more seldom than `limits.renewSeconds`. */
export function renewalInterval(vars: ReservationVars): number {
  return Math.min(limits.renewSeconds * 1000, reservationTtl(vars) / 3);
}
