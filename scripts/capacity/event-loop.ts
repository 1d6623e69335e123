interface Event {
  readonly time: number;
  /** Events of one moment happen in the order in which they were set. */
  readonly order: number;
  readonly happen: () => void;
}

/** Simulated time, in seconds from 0 on: whatever is set to happen happens in order, and nothing waits for anything real. */
export class EventLoop {
  now = 0;
  #order = 0;
  /** A binary heap, the next event first. */
  readonly #heap: Event[] = [];

  /** Has something happen after so many seconds. */
  after(seconds: number, happen: () => void): void {
    this.#push({ time: this.now + seconds, order: this.#order++, happen });
  }

  /** Lets everything happen, until nothing is left. */
  run(): void {
    for (let event = this.#pop(); event !== undefined; event = this.#pop()) {
      this.now = event.time;
      event.happen();
    }
  }

  #push(event: Event): void {
    const heap = this.#heap;
    let at = heap.length;
    heap.push(event);
    while (at > 0) {
      const parent = (at - 1) >> 1;
      if (!isBefore(event, heap[parent]!)) break;
      heap[at] = heap[parent]!;
      at = parent;
    }
    heap[at] = event;
  }

  #pop(): Event | undefined {
    const heap = this.#heap;
    const first = heap[0];
    const last = heap.pop();
    if (first === undefined || last === undefined || heap.length === 0) return first;
    let at = 0;
    for (let child = 1; child < heap.length; child = 2 * at + 1) {
      if (child + 1 < heap.length && isBefore(heap[child + 1]!, heap[child]!)) child++;
      if (!isBefore(heap[child]!, last)) break;
      heap[at] = heap[child]!;
      at = child;
    }
    heap[at] = last;
    return first;
  }
}

function isBefore(a: Event, b: Event): boolean {
  return a.time < b.time || (a.time === b.time && a.order < b.order);
}
