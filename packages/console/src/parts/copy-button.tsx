import { useSignal } from '@preact/signals';
import { t } from '../language/text.ts';
import { announce } from './announcer.tsx';
import { Icon } from './icon.tsx';

const SHOWN_MS = 1800;

/** Copies a text and says that it did. */
export function CopyButton({ text, label, class: look = '' }: { text: string; label?: string; class?: string }) {
  const copied = useSignal(false);
  const copy = async () => {
    await navigator.clipboard.writeText(text);
    announce(t('copied'));
    copied.value = true;
    setTimeout(() => {
      copied.value = false;
    }, SHOWN_MS);
  };
  return (
    <button type="button" class={`button ${look}`} onClick={copy}>
      <Icon name={copied.value ? 'check' : 'copy'} />
      {copied.value ? t('copied') : (label ?? t('copy'))}
    </button>
  );
}

/** Something to paste elsewhere. */
export function CodeBlock({ text, label }: { text: string; label?: string }) {
  return (
    <div class="code">
      {/* A region that scrolls must be reachable by keyboard. */}
      <pre>{text}</pre>
      <CopyButton text={text} {...(label && { label })} />
    </div>
  );
}
