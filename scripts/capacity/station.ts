import type { EventLoop } from './event-loop.ts';

/** Customers that have left the queue are dropped from its array so many at a time. */
const DROP_AFTER = 1000;

interface Customer {
  readonly arrived: number;
  readonly seconds: number;
  readonly served: (waited: number) => void;
  gone: boolean;
}

/** How a customer of a station is served, and what happens to one that is not. */
export interface Visit {
  /** Seconds of service. */
  readonly seconds: number;
  /** Called when the service is over, with the seconds that were waited before it. */
  readonly served: (waited: number) => void;
  /** Seconds after which the customer leaves the queue; absent: never. */
  readonly patience?: number;
  readonly left?: () => void;
}

/** Servers with one queue: first come, first served. Counts how long they work. */
export class Station {
  /** Seconds of service given, of all servers together. */
  busy = 0;
  readonly servers: number;
  readonly #loop: EventLoop;
  readonly #queue: Customer[] = [];
  #head = 0;
  #serving = 0;

  constructor(loop: EventLoop, servers: number) {
    this.#loop = loop;
    this.servers = servers;
  }

  enter({ seconds, served, patience, left }: Visit): void {
    const customer: Customer = { arrived: this.#loop.now, seconds, served, gone: false };
    if (this.#serving < this.servers) {
      this.#serve(customer);
      return;
    }
    this.#queue.push(customer);
    if (patience === undefined) return;
    this.#loop.after(patience, () => {
      if (customer.gone) return;
      customer.gone = true;
      left?.();
    });
  }

  #serve(customer: Customer): void {
    customer.gone = true;
    this.#serving++;
    this.busy += customer.seconds;
    const waited = this.#loop.now - customer.arrived;
    this.#loop.after(customer.seconds, () => {
      this.#serving--;
      this.#next();
      customer.served(waited);
    });
  }

  #next(): void {
    while (this.#head < this.#queue.length) {
      const customer = this.#queue[this.#head++]!;
      if (this.#head >= DROP_AFTER) {
        this.#queue.splice(0, this.#head);
        this.#head = 0;
      }
      if (customer.gone) continue;
      this.#serve(customer);
      return;
    }
  }
}
