import { writeFileSync } from 'node:fs';
import type { Server } from '../../test/conformance/support/server.ts';

/** Tells the kernel to forget a process's peak (proc(5), `/proc/pid/clear_refs`). */
const RESET_PEAK = '5';

/** Peak resident bytes of a server's runtime, from one `reset` to the next (Linux only). */
export class ResidentPeak {
  readonly #server: Server;
  #highest = 0;

  constructor(server: Server) {
    this.#server = server;
  }

  get now(): number {
    return this.#server.memory().now;
  }

  /** The peak since the last reset. */
  get peak(): number {
    const { peak } = this.#server.memory();
    this.#highest = Math.max(this.#highest, peak);
    return peak;
  }

  /** The highest peak that was ever read. */
  get highest(): number {
    return this.#highest;
  }

  reset(): void {
    for (const pid of this.#server.runtimes()) writeFileSync(`/proc/${pid}/clear_refs`, RESET_PEAK);
  }
}
