/** Which Durable Objects were called, and how many calls each has under way. */
export class RunningCalls {
  readonly #objects = new Map<string, { readonly binding: string; readonly id: DurableObjectId; calls: number }>();

  /** @returns to be called when the call is over */
  begin(binding: string, id: DurableObjectId): () => void {
    const key = `${binding} ${id}`;
    const object = this.#objects.get(key) ?? { binding, id, calls: 0 };
    this.#objects.set(key, object);
    object.calls++;
    return () => {
      object.calls--;
    };
  }

  /** Objects of a binding, in the order in which they were first called. */
  of(binding: string): { readonly id: DurableObjectId; readonly calls: number }[] {
    return [...this.#objects.values()].filter((object) => object.binding === binding);
  }
}
