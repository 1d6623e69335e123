import { signal } from '@preact/signals';

const spoken = signal('');

/** Says something to who listens to the page instead of looking at it, without interrupting. */
export function announce(text: string): void {
  // The same text twice is spoken twice only if it changes in between.
  spoken.value = spoken.value === text ? `${text}\u00a0` : text;
}

export function Announcer() {
  return (
    <div class="unseen" role="status" aria-live="polite">
      {spoken}
    </div>
  );
}
