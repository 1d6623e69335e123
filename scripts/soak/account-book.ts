import type { CompressRequest } from './compress-request.ts';
import type { Admission } from './soak-account.ts';

/** What an answer said of a request's files. */
export interface Told {
  /** Of each file what must stay the same under its Idempotency-Key; undefined where it failed for a reason of the service's own. */
  readonly outcomes: readonly (string | undefined)[];
  readonly processed: number;
  readonly described: number;
}

interface Entry {
  readonly request: CompressRequest;
  /** Times that it is being sent now. */
  sending: number;
  /** Whether an answer has come since it was sent last. */
  known: boolean;
  told?: Told;
}

/** What the service said it did for an account, against which its counters are held. */
export class AccountBook {
  readonly account: Admission;
  readonly #entries = new Map<string, Entry>();

  constructor(account: Admission) {
    this.account = account;
  }

  /** Files that the account was told are processed, and images that it was told are described. */
  get told(): { compressions: number; aiCredits: number } {
    let [compressions, aiCredits] = [0, 0];
    for (const { told } of this.#entries.values()) {
      compressions += told?.processed ?? 0;
      aiCredits += told?.described ?? 0;
    }
    return { compressions, aiCredits };
  }

  /** Requests of which the outcome is not known and that nobody is sending: cancelled, or their answer lost. */
  get lost(): CompressRequest[] {
    return this.#open().flatMap(({ request, sending }) => (sending === 0 ? [request] : []));
  }

  isOpen({ idempotencyKey }: CompressRequest): boolean {
    return this.#open().some(({ request }) => request.idempotencyKey === idempotencyKey);
  }

  /** The request is sent, for the first time or again. */
  begin(request: CompressRequest): void {
    const entry = this.#entries.get(request.idempotencyKey) ?? { request, sending: 0, known: false };
    this.#entries.set(request.idempotencyKey, entry);
    entry.sending++;
    entry.known = false;
  }

  /** Nothing more will come of one sending of it. */
  end({ idempotencyKey }: CompressRequest): void {
    this.#entries.get(idempotencyKey)!.sending--;
  }

  /** The request was refused: nothing may be charged for it. */
  refused({ idempotencyKey }: CompressRequest): void {
    const entry = this.#entries.get(idempotencyKey)!;
    if (entry.sending === 1) entry.known = true;
  }

  /**
   * The request was answered.
   * @returns whether another answer was given under the same key before, beside files that are done again because the service failed
   */
  answered({ idempotencyKey }: CompressRequest, told: Told): boolean {
    const entry = this.#entries.get(idempotencyKey)!;
    const before = entry.told;
    if (entry.sending === 1) entry.known = true;
    const differs = before?.outcomes.some((outcome, n) => outcome !== undefined && outcome !== told.outcomes[n]);
    if (differs !== true) entry.told = told;
    return differs === true;
  }

  /** The most that open requests may have been charged with beyond what was told. */
  get uncertain(): { compressions: number; aiCredits: number } {
    let [compressions, aiCredits] = [0, 0];
    for (const { request, told } of this.#open()) {
      const left = request.files.length - (told?.processed ?? 0);
      compressions += left;
      aiCredits += request.described ? left : 0;
    }
    return { compressions, aiCredits };
  }

  #open(): Entry[] {
    return [...this.#entries.values()].filter(({ known, told }) => !known && !isFinal(told));
  }
}

/** Whether every repetition gets the same answer. */
function isFinal(told: Told | undefined): boolean {
  return told !== undefined && !told.outcomes.includes(undefined);
}
