import type { ComponentChildren } from 'preact';
import { Icon } from './icon.tsx';

/** What went wrong, where it went wrong. */
export function Fault({ text, children }: { text: string | undefined; children?: ComponentChildren }) {
  if (text === undefined) return null;
  return (
    <div class="notice bad" role="alert">
      <span class="fault-text">
        <Icon name="alert" />
        {text}
      </span>
      {children}
    </div>
  );
}
