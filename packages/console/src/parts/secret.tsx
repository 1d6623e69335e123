import { CopyButton } from './copy-button.tsx';

interface SecretProps {
  readonly text: string;
  readonly label: string;
  /** The look of the button that copies it. */
  readonly button?: string;
}

/** Something that is shown once: whole by scrolling, selected by a click, copied by a button. */
export function Secret({ text, label, button = '' }: SecretProps) {
  return (
    <div class="line secret">
      <input
        class="input mono"
        readOnly
        value={text}
        aria-label={label}
        onFocus={({ currentTarget }) => currentTarget.select()}
      />
      <CopyButton text={text} class={button} />
    </div>
  );
}
