import type { IssuedKey } from '@plume/client';
import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { t } from '../language/text.ts';
import { announce } from '../parts/announcer.tsx';
import { CodeBlock } from '../parts/copy-button.tsx';
import { Icon } from '../parts/icon.tsx';
import { Secret } from '../parts/secret.tsx';
import { plume } from '../session/session.ts';

const LOOK_EVERY_MS = 3000;

interface ShownKeyProps {
  readonly issued: IssuedKey;
  readonly close: () => void;
  readonly onUse: () => void;
}

/** A new key, the one time that it is shown, and the moment of its first request. */
export function ShownKey({ issued, close, onUse }: ShownKeyProps) {
  const seen = useFirstRequest(issued.id, onUse);
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), [issued.id]);
  return (
    <section class="card padded stack shown-key">
      <div class="line-apart">
        <h2 ref={heading} tabIndex={-1}>
          {t('keys.shown')}
        </h2>
        <button type="button" class="button quiet icon small" aria-label={t('close')} onClick={close}>
          <Icon name="close" />
        </button>
      </div>
      <p class="muted">{t('keys.shownOnce')}</p>
      <Secret text={issued.key} label={t('keys.key')} button="primary" />
      <CodeBlock text={`curl -H 'Authorization: Bearer ${issued.key}' ${location.origin}/api/usage`} />
      <p class="line small" role="status">
        {seen ? (
          <span class="tag good">
            <Icon name="check" />
            {t('keys.seen')}
          </span>
        ) : (
          <span class="muted waiting-dot">{t('keys.waiting')}</span>
        )}
      </p>
    </section>
  );
}

/** Looks for the key's first request until it was seen. */
function useFirstRequest(id: string, onUse: () => void): boolean {
  const seen = useSignal(false);
  useEffect(() => {
    seen.value = false;
    const timer = setInterval(async () => {
      if (document.hidden) return;
      const page = await plume.keys.list({ limit: 100 }).catch(() => undefined);
      if (!page?.keys.find((key) => key.id === id)?.lastUsedAt) return;
      clearInterval(timer);
      seen.value = true;
      announce(t('keys.seen'));
      onUse();
    }, LOOK_EVERY_MS);
    return () => clearInterval(timer);
  }, [id]);
  return seen.value;
}
