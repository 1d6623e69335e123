import { type Signal, useSignal } from '@preact/signals';
import { noteEnd, sentence } from '../session/session.ts';

export interface Task {
  readonly busy: Signal<boolean>;
  /** The server's sentence when the last try failed. */
  readonly fault: Signal<string | undefined>;
  /** Runs one thing at a time; what is started meanwhile is passed over. */
  run(work: () => Promise<void>): Promise<void>;
}

/** Something that a person starts and that may fail. */
export function useTask(): Task {
  const busy = useSignal(false);
  const fault = useSignal<string | undefined>(undefined);
  const run = async (work: () => Promise<void>) => {
    if (busy.value) return;
    busy.value = true;
    fault.value = undefined;
    try {
      await work();
    } catch (error) {
      if (!noteEnd(error)) fault.value = sentence(error);
    } finally {
      busy.value = false;
    }
  };
  return { busy, fault, run };
}
