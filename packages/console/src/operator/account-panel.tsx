import type { AccountDetail, IssuedKey, Key, Plan } from '@plume/client';
import { useSignal } from '@preact/signals';
import { useEffect, useId, useRef } from 'preact/hooks';
import { RevokeKey } from '../keys/revoke-key.tsx';
import { ago, date, t } from '../language/text.ts';
import { announce } from '../parts/announcer.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { Fault } from '../parts/fault.tsx';
import { Secret } from '../parts/secret.tsx';
import { type Task, useTask } from '../parts/task.ts';
import { plume } from '../session/session.ts';
import { plans } from './new-account.tsx';

interface AccountPanelProps {
  readonly id: string;
  readonly close: () => void;
  readonly changed: () => void;
}

/** One account: its plan, what it has left, its keys, and what an operator may do with it. */
export function AccountPanel({ id, close, changed }: AccountPanelProps) {
  const account = useSignal<AccountDetail | undefined>(undefined);
  const task = useTask();
  const load = async () => {
    account.value = await plume.admin.account(id);
  };
  useEffect(() => void task.run(load), [id]);
  /** Does something, then shows the account as it is after it. */
  const act = (work: () => Promise<unknown>) =>
    task.run(async () => {
      await work();
      await load();
      announce(t('saved'));
      changed();
    });
  const shown = account.value;
  return (
    <Dialog title={shown?.name ?? t('oneMoment')} onClose={close}>
      <Fault text={task.fault.value} />
      {shown && (
        <>
          <Facts account={shown} />
          <PlanAndState account={shown} task={task} act={act} />
          <TopUp account={shown} task={task} act={act} />
          <Invite account={shown} />
          <Keys account={shown} task={task} act={act} />
        </>
      )}
      <div class="actions">
        <button type="button" class="button" onClick={close}>
          {t('close')}
        </button>
      </div>
    </Dialog>
  );
}

interface PartProps {
  readonly account: AccountDetail;
  readonly task: Task;
  readonly act: (work: () => Promise<unknown>) => void;
}

function Facts({ account: { id, usage, createdAt } }: { account: AccountDetail }) {
  const { compressions, aiCredits, period } = usage;
  return (
    <div class="stack-small small">
      <p class="muted mono">{id}</p>
      <p class="numbers">
        {t('operator.usage', { used: compressions.used, limit: compressions.limit, credits: aiCredits.remaining })}
      </p>
      <p class="muted">
        {t('operator.sinceDay', { when: date(createdAt) })} · {t('operator.resets', { when: date(period.end) })}
      </p>
    </div>
  );
}

function PlanAndState({ account, task, act }: PartProps) {
  const id = useId();
  const { suspended } = account;
  return (
    <div class="line-apart panel-part">
      <div class="line">
        <label class="label" for={id}>
          {t('operator.plan')}
        </label>
        <select
          id={id}
          class="input narrow"
          value={account.plan}
          disabled={task.busy.value}
          onChange={({ currentTarget }) =>
            act(() => plume.admin.changeAccount(account.id, { plan: currentTarget.value as Plan }))
          }
        >
          {plans.map((plan) => (
            <option key={plan} value={plan}>
              {t(`plan.${plan}`)}
            </option>
          ))}
        </select>
      </div>
      <button
        type="button"
        class={`button ${suspended ? '' : 'danger'}`}
        disabled={task.busy.value}
        onClick={() => act(() => plume.admin.changeAccount(account.id, { suspended: !suspended }))}
      >
        {suspended ? t('operator.reopen') : t('operator.suspend')}
      </button>
    </div>
  );
}

function TopUp({ account, task, act }: PartProps) {
  const id = useId();
  const credits = useRef<HTMLInputElement>(null);
  const reference = useRef<HTMLInputElement>(null);
  const submit = (event: Event) => {
    event.preventDefault();
    const amount = credits.current?.valueAsNumber ?? 0;
    act(() => plume.admin.topUp(account.id, amount, reference.current?.value.trim() ?? ''));
  };
  return (
    <form class="panel-part top-up" onSubmit={submit}>
      <div class="field">
        <label for={`${id}-n`}>{t('operator.credits')}</label>
        <input ref={credits} id={`${id}-n`} class="input" type="number" min={1} max={10_000_000} required />
      </div>
      <div class="field">
        <label for={`${id}-ref`}>{t('operator.reference')}</label>
        <input ref={reference} id={`${id}-ref`} class="input" required maxLength={200} />
      </div>
      <button type="submit" class="button" disabled={task.busy.value}>
        {t('operator.topUp')}
      </button>
    </form>
  );
}

function Invite({ account }: { account: AccountDetail }) {
  const link = useSignal<{ url: string; expiresAt: string } | undefined>(undefined);
  const task = useTask();
  const make = () =>
    task.run(async () => {
      link.value = await plume.admin.invite(account.id);
    });
  return (
    <div class="panel-part stack-small">
      <div class="line-apart">
        <span class="label">{t('operator.invite')}</span>
        <button type="button" class="button" disabled={task.busy.value} onClick={make}>
          {t('operator.makeInvite')}
        </button>
      </div>
      <Fault text={task.fault.value} />
      {link.value && (
        <Once
          text={link.value.url}
          label={t('operator.invite')}
          hint={t('operator.inviteHint', { when: date(link.value.expiresAt, 'both') })}
        />
      )}
    </div>
  );
}

function Once({ text, label, hint }: { text: string; label: string; hint: string }) {
  return (
    <div class="stack-small">
      <Secret text={text} label={label} />
      <p class="hint">{hint}</p>
    </div>
  );
}

function Keys({ account, task, act }: PartProps) {
  const id = useId();
  const issued = useSignal<IssuedKey | undefined>(undefined);
  const revoked = useSignal<Key | undefined>(undefined);
  const label = useRef<HTMLInputElement>(null);
  const live = account.keys.filter(({ revokedAt }) => revokedAt === null);
  const submit = (event: Event) => {
    event.preventDefault();
    const kind = account.plan === 'agency' ? 'api' : 'app';
    act(async () => {
      issued.value = await plume.admin.issueKey(account.id, { label: label.current?.value.trim() ?? '', kind });
    });
  };
  return (
    <div class="panel-part stack-small">
      <span class="label">{t('page.keys')}</span>
      <ul class="plain stack-small">
        {live.map((key) => (
          <li key={key.id} class="line-apart">
            <span class="small">
              <b dir="auto">{key.label}</b> <span class="tag">{t(`kind.${key.kind}`)}</span>{' '}
              <span class="muted">
                <code>{key.prefix}…</code> {key.lastUsedAt ? t('keys.used', { when: ago(key.lastUsedAt) }) : ''}
              </span>
            </span>
            <button
              type="button"
              class="button danger"
              aria-label={t('keys.revokeOf', { name: key.label })}
              onClick={() => (revoked.value = key)}
            >
              {t('keys.revoke')}
            </button>
          </li>
        ))}
      </ul>
      {issued.value && <Once text={issued.value.key} label={t('keys.key')} hint={t('keys.shownOnce')} />}
      <form class="line" onSubmit={submit}>
        <input
          ref={label}
          id={id}
          class="input grow"
          required
          maxLength={200}
          placeholder={t('keys.label')}
          aria-label={t('keys.label')}
        />
        <button type="submit" class="button" disabled={task.busy.value}>
          {t('keys.make')}
        </button>
      </form>
      {revoked.value && (
        <RevokeKey
          name={revoked.value.label}
          revoke={() => plume.admin.revokeKey(revoked.value!.id)}
          close={() => (revoked.value = undefined)}
          done={() => {
            revoked.value = undefined;
            act(async () => {});
          }}
        />
      )}
    </div>
  );
}
