import { type PlanId, plans } from '../credits/plans.ts';
import { RequestError } from '../errors.ts';
import { limits } from '../limits.ts';
import { type Clock, platformClock } from '../platform/clock.ts';
import { type Place, Places } from '../platform/places.ts';

/** Seconds after which a refused client may try again: a usual request is done by then. */
const RETRY_AFTER_SECONDS = 5;

/** What one account has at once. */
interface Account {
  readonly requests: Places;
  readonly uploads: Places;
}

/**
 * Bounds what one account has at once in this isolate, by its plan: requests, and how many of them may be uploading. Otherwise one
 * account could take all places and all memory of an isolate's uploads. One instance an isolate, in memory on purpose: memory and
 * uploads are the isolate's, and counting them elsewhere would cost a call for each request. Slots of requests that the platform cut
 * lapse by themselves (see `Pulse`).
 */
export class RequestSlots {
  readonly #clock: Clock;
  readonly #accounts = new Map<string, Account>();

  constructor(clock: Clock = platformClock) {
    this.#clock = clock;
  }

  /**
   * A slot for a request of the account, to be left when its answer is made.
   * @throws RequestError rate_limited when the account has as many as its plan allows
   */
  enter({ accountId, plan }: { readonly accountId: string; readonly plan: PlanId }): RequestSlot {
    const account = this.#account(accountId, plan);
    const place = account.requests.tryEnter();
    if (place === undefined) throw tooManyRequests(plan);
    const left = () => {
      if (account.requests.empty && this.#accounts.get(accountId) === account) this.#accounts.delete(accountId);
    };
    return new RequestSlot(place, account.uploads, plan, left);
  }

  #account(accountId: string, plan: PlanId): Account {
    const most = plans[plan].requestsAtOnce;
    const known = this.#accounts.get(accountId);
    if (known !== undefined && known.requests.most === most) return known;
    const account = {
      requests: new Places(most, this.#clock),
      uploads: new Places(most / 2, this.#clock),
    };
    this.#accounts.set(accountId, account);
    return account;
  }
}

/** What one request has of its account's share. */
export class RequestSlot {
  readonly #place: Place;
  readonly #uploads: Places;
  readonly #plan: PlanId;
  readonly #left: () => void;

  constructor(place: Place, uploads: Places, plan: PlanId, left: () => void) {
    this.#place = place;
    this.#uploads = uploads;
    this.#plan = plan;
    this.#left = left;
  }

  /**
   * Reads the request's body with `read` once the account has an upload less than its plan allows.
   * @throws RequestError rate_limited when that takes too long; whatever `read` throws
   */
  async upload<Result>(read: () => Promise<Result>): Promise<Result> {
    const place = await this.#uploads.enter(limits.uploadQueueSeconds);
    if (place === undefined) throw tooManyUploads(this.#plan);
    try {
      return await read();
    } finally {
      place.leave();
    }
  }

  leave(): void {
    this.#place.leave();
    this.#left();
  }
}

function tooManyRequests(plan: PlanId): RequestError {
  const bound = `The ${plan} plan allows ${plans[plan].requestsAtOnce} requests at once`;
  const message = `${bound}, and so many are under way. Wait for the answer to one of them, then send this one again.`;
  return new RequestError('rate_limited', message, { retryAfterSeconds: RETRY_AFTER_SECONDS });
}

function tooManyUploads(plan: PlanId): RequestError {
  const bound = `The ${plan} plan allows ${plans[plan].requestsAtOnce / 2} uploads at once`;
  const message = `${bound}, and those before this one took more than ${limits.uploadQueueSeconds} seconds. Send it again when they are done.`;
  return new RequestError('rate_limited', message, { retryAfterSeconds: RETRY_AFTER_SECONDS });
}
