import type { Plan } from '@plume/client';
import { useId, useRef } from 'preact/hooks';
import { t } from '../language/text.ts';
import { Dialog } from '../parts/dialog.tsx';
import { Fault } from '../parts/fault.tsx';
import { useTask } from '../parts/task.ts';
import { plume } from '../session/session.ts';

export const plans: readonly Plan[] = ['free', 'starter', 'agency'];

/** Makes an account. */
export function NewAccount({ close, done }: { close: () => void; done: (id: string) => void }) {
  const id = useId();
  const name = useRef<HTMLInputElement>(null);
  const plan = useRef<HTMLSelectElement>(null);
  const task = useTask();
  const submit = (event: Event) => {
    event.preventDefault();
    task.run(async () => {
      const made = await plume.admin.createAccount({
        name: name.current?.value.trim() ?? '',
        plan: plan.current?.value as Plan,
      });
      done(made.id);
    });
  };
  return (
    <Dialog title={t('operator.new')} onClose={close}>
      <form class="stack" onSubmit={submit}>
        <div class="field">
          <label for={`${id}-name`}>{t('operator.name')}</label>
          <input ref={name} id={`${id}-name`} class="input" required maxLength={200} />
        </div>
        <div class="field">
          <label for={`${id}-plan`}>{t('operator.plan')}</label>
          <select ref={plan} id={`${id}-plan`} class="input">
            {plans.map((other) => (
              <option key={other} value={other}>
                {t(`plan.${other}`)}
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
            {t('operator.make')}
          </button>
        </div>
      </form>
    </Dialog>
  );
}
