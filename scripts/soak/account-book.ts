import type { CompressRequest } from './compress-request.ts';
import type { Admission } from './soak-account.ts';

/** What the service said it did for an account, against which its counters are held. */
export class AccountBook {
  readonly account: Admission;
  /** Files that the account was told are processed, and images that it was told are described. */
  told = { compressions: 0, aiCredits: 0 };
  /** Requests of which the outcome is not known: under way, cancelled, or their answer lost. By Idempotency-Key. */
  readonly open = new Map<string, CompressRequest>();
  readonly #final = new Map<string, string>();

  constructor(account: Admission) {
    this.account = account;
  }

  begin(request: CompressRequest): void {
    if (!this.#final.has(request.idempotencyKey)) this.open.set(request.idempotencyKey, request);
  }

  /** The request was refused: nothing may be charged for it. */
  refused({ idempotencyKey }: CompressRequest): void {
    this.open.delete(idempotencyKey);
  }

  /**
   * The request was answered.
   * @param done what makes the same answer the same: names and sizes
   * @returns whether another answer was given under the same key before
   */
  answered({ idempotencyKey }: CompressRequest, done: string, compressions: number, aiCredits: number): boolean {
    const before = this.#final.get(idempotencyKey);
    this.open.delete(idempotencyKey);
    if (before !== undefined) return before !== done;
    this.#final.set(idempotencyKey, done);
    this.told = { compressions: this.told.compressions + compressions, aiCredits: this.told.aiCredits + aiCredits };
    return false;
  }

  /** The most that open requests may have been charged with. */
  get uncertain(): { compressions: number; aiCredits: number } {
    let [compressions, aiCredits] = [0, 0];
    for (const request of this.open.values()) {
      compressions += request.files.length;
      aiCredits += request.described ? request.files.length : 0;
    }
    return { compressions, aiCredits };
  }
}
