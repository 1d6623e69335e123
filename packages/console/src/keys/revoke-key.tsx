import { useSignal } from '@preact/signals';
import { useId } from 'preact/hooks';
import { t } from '../language/text.ts';
import { Dialog } from '../parts/dialog.tsx';
import { Fault } from '../parts/fault.tsx';
import { useTask } from '../parts/task.ts';

interface RevokeKeyProps {
  readonly name: string;
  readonly revoke: () => Promise<void>;
  readonly close: () => void;
  readonly done: () => void;
}

/** Ends a key for good, once its name was typed. */
export function RevokeKey({ name, revoke, close, done }: RevokeKeyProps) {
  const id = useId();
  const typed = useSignal('');
  const task = useTask();
  const matches = typed.value.trim() === name.trim();
  const submit = (event: Event) => {
    event.preventDefault();
    if (!matches) return;
    task.run(async () => {
      await revoke();
      done();
    });
  };
  return (
    <Dialog title={t('keys.revokeOf', { name })} onClose={close}>
      <form class="stack" onSubmit={submit}>
        <p class="muted">{t('keys.revokeLead')}</p>
        <div class="field">
          <label for={id} dir="auto">
            {t('keys.typeName', { name })}
          </label>
          <input
            id={id}
            class="input"
            autocomplete="off"
            spellcheck={false}
            onInput={({ currentTarget }) => (typed.value = currentTarget.value)}
          />
        </div>
        <Fault text={task.fault.value} />
        <div class="actions">
          <button type="button" class="button" onClick={close}>
            {t('cancel')}
          </button>
          <button type="submit" class="button danger primary" disabled={!matches || task.busy.value}>
            {t('keys.revoke')}
          </button>
        </div>
      </form>
    </Dialog>
  );
}
