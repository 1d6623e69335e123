import type { IssuedKey, Key } from '@plume/client';
import { useId, useRef } from 'preact/hooks';
import { t } from '../language/text.ts';
import { Dialog } from '../parts/dialog.tsx';
import { Fault } from '../parts/fault.tsx';
import { useTask } from '../parts/task.ts';
import { plume } from '../session/session.ts';

/** Seconds for which the old key still works. */
const graces = [
  { seconds: 86_400, text: () => t('days', { n: 1 }) },
  { seconds: 604_800, text: () => t('days', { n: 7 }) },
  { seconds: 3_600, text: () => t('hours', { n: 1 }) },
  { seconds: 0, text: () => t('keys.atOnce') },
];

/** Puts a new key in an old one's place. */
export function RollKey({ target, close, done }: { target: Key; close: () => void; done: (key: IssuedKey) => void }) {
  const id = useId();
  const grace = useRef<HTMLSelectElement>(null);
  const task = useTask();
  const submit = (event: Event) => {
    event.preventDefault();
    task.run(async () => done(await plume.keys.roll(target.id, Number(grace.current?.value))));
  };
  return (
    <Dialog title={t('keys.rollOf', { name: target.label })} onClose={close}>
      <form class="stack" onSubmit={submit}>
        <p class="muted">{t('keys.rollLead')}</p>
        <div class="field">
          <label for={id}>{t('keys.grace')}</label>
          <select ref={grace} id={id} class="input">
            {graces.map(({ seconds, text }) => (
              <option key={seconds} value={seconds}>
                {text()}
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
            {t('keys.roll')}
          </button>
        </div>
      </form>
    </Dialog>
  );
}
