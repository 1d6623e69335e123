import type { PlatformShell } from '../platform/call-platform.ts';

/** Lets callers wait until something has changed since they looked last. */
export class ChangeWatch {
  readonly #shell: PlatformShell;
  readonly #watchers = new Set<() => void>();
  #version = 0;

  constructor(shell: PlatformShell) {
    this.#shell = shell;
  }

  /** How often something has changed. */
  get version(): number {
    return this.#version;
  }

  /** Something has changed. */
  tell(): void {
    this.#version++;
    for (const tell of this.#watchers) tell();
  }

  /** Waits for the next change, at most so many seconds. */
  async changed(seconds: number): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#watchers.add(resolve);
    const cancel = this.#shell.timer(seconds * 1000, resolve);
    await promise;
    cancel();
    this.#watchers.delete(resolve);
  }
}
