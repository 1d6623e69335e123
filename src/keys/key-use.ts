import { limits } from '../limits.ts';
import { callPlatform, type Patience, type PlatformShell, platformShell } from '../platform/call-platform.ts';

/** The request does not wait long for what is only noted. */
const patience: Patience = { tries: 1, limitMs: 1000, backOffMs: 0 };
const PERIOD_MS = limits.keyUseSeconds * 1000;
const MOST = 1000;

/** Notes when keys were last used, for their owners: at most once in `limits.keyUseSeconds` a key, and one question to D1 an isolate. */
export class KeyUse {
  readonly #db: D1Database;
  readonly #clock: () => number;
  readonly #shell: PlatformShell;
  /** By id of the key: when this isolate noted it last. The oldest comes first. */
  readonly #noted = new Map<string, number>();

  /** `clock` returns ms since the epoch. */
  constructor(db: D1Database, clock: () => number, shell: PlatformShell = platformShell) {
    this.#db = db;
    this.#clock = clock;
    this.#shell = shell;
  }

  /** Never throws: what could not be written is written with a later use. */
  async note(keyId: string): Promise<void> {
    const now = this.#clock();
    if (now < (this.#noted.get(keyId) ?? 0) + PERIOD_MS) return;
    this.#noted.delete(keyId);
    this.#noted.set(keyId, now);
    if (this.#noted.size > MOST) this.#noted.delete(this.#noted.keys().next().value!);
    const update = this.#db
      .prepare('UPDATE keys SET last_used_at = ?1 WHERE id = ?2 AND (last_used_at IS NULL OR last_used_at <= ?1 - ?3)')
      .bind(now, keyId, PERIOD_MS);
    await callPlatform('D1 key use', () => update.run(), patience, this.#shell).catch(() => {});
  }
}
