import type { IssuedKey } from '@plume/client';
import { useId, useRef } from 'preact/hooks';
import { t } from '../language/text.ts';
import { Dialog } from '../parts/dialog.tsx';
import { Fault } from '../parts/fault.tsx';
import { useTask } from '../parts/task.ts';
import { plume } from '../session/session.ts';

const LABEL_CHARACTERS = 200;
const DAY_MS = 86_400_000;
const lives = [0, 30, 90, 365] as const;

/** Makes a key with a name and, if wished, an end. */
export function NewKey({ close, done }: { close: () => void; done: (key: IssuedKey) => void }) {
  const id = useId();
  const label = useRef<HTMLInputElement>(null);
  const life = useRef<HTMLSelectElement>(null);
  const task = useTask();
  const submit = (event: Event) => {
    event.preventDefault();
    const days = Number(life.current?.value);
    const expiry = days > 0 ? { expiresAt: new Date(Date.now() + days * DAY_MS).toISOString() } : {};
    task.run(async () =>
      done(await plume.keys.create({ label: label.current?.value.trim() ?? '', kind: 'api', ...expiry })),
    );
  };
  return (
    <Dialog title={t('keys.new')} onClose={close}>
      <form class="stack" onSubmit={submit}>
        <div class="field">
          <label for={`${id}-label`}>{t('keys.label')}</label>
          <input
            ref={label}
            id={`${id}-label`}
            class="input"
            required
            maxLength={LABEL_CHARACTERS}
            placeholder={t('keys.labelExample')}
          />
        </div>
        <div class="field">
          <label for={`${id}-life`}>{t('keys.life')}</label>
          <select ref={life} id={`${id}-life`} class="input">
            {lives.map((days) => (
              <option key={days} value={days}>
                {days === 0 ? t('keys.forever') : t('days', { n: days })}
              </option>
            ))}
          </select>
        </div>
        <Fault text={task.fault.value} />
        <div class="actions">
          <button type="button" class="button" onClick={close}>
            {t('cancel')}
          </button>
          <button type="submit" class="button primary" disabled={task.busy.value}>
            {t('keys.make')}
          </button>
        </div>
      </form>
    </Dialog>
  );
}
