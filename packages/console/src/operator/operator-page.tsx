import type { Account } from '@plume/client';
import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { AuditList } from '../keys/audit-list.tsx';
import { date, t } from '../language/text.ts';
import { Fault } from '../parts/fault.tsx';
import { Icon } from '../parts/icon.tsx';
import { useTask } from '../parts/task.ts';
import { plume } from '../session/session.ts';
import { AccountPanel } from './account-panel.tsx';
import { NewAccount } from './new-account.tsx';

const PAGE = 25;
const TYPING_MS = 250;

/** Whoever runs the service: accounts, and what was done with them. */
export function OperatorPage() {
  const accounts = useSignal<readonly Account[] | undefined>(undefined);
  const cursor = useSignal<string | undefined>(undefined);
  const search = useSignal('');
  const shown = useSignal<string | undefined>(undefined);
  const making = useSignal(false);
  const changes = useSignal(0);
  const task = useTask();
  const load = (more: boolean) =>
    task.run(async () => {
      const wished = search.value;
      const page = await plume.admin.accounts({
        limit: PAGE,
        search: wished || undefined,
        cursor: more ? cursor.value : undefined,
      });
      if (wished !== search.value) return;
      accounts.value = [...(more ? (accounts.value ?? []) : []), ...page.accounts];
      cursor.value = page.nextCursor;
    });
  useEffect(() => {
    const timer = setTimeout(() => load(false), search.value === '' ? 0 : TYPING_MS);
    return () => clearTimeout(timer);
  }, [search.value, changes.value]);
  const changed = () => {
    changes.value++;
  };
  return (
    <>
      <div class="head">
        <div>
          <h1>{t('page.operator')}</h1>
        </div>
        <div class="line">
          <label class="search">
            <Icon name="search" />
            <input
              class="input"
              type="search"
              placeholder={t('operator.search')}
              aria-label={t('operator.search')}
              onInput={({ currentTarget }) => (search.value = currentTarget.value.trim())}
            />
          </label>
          <button type="button" class="button primary" onClick={() => (making.value = true)}>
            <Icon name="plus" />
            {t('operator.new')}
          </button>
        </div>
      </div>
      <div class="stack">
        <Fault text={task.fault.value} />
        {accounts.value?.length === 0 && <p class="card blank">{t('operator.none')}</p>}
        {accounts.value && accounts.value.length > 0 && (
          <AccountTable accounts={accounts.value} show={(id) => (shown.value = id)} />
        )}
        {cursor.value && (
          <button type="button" class="button" disabled={task.busy.value} onClick={() => load(true)}>
            {t('more')}
          </button>
        )}
        <AuditList key={changes.value} load={(page) => plume.admin.audit(page)} />
      </div>
      {shown.value && (
        <AccountPanel key={shown.value} id={shown.value} close={() => (shown.value = undefined)} changed={changed} />
      )}
      {making.value && (
        <NewAccount
          close={() => (making.value = false)}
          done={(id) => {
            making.value = false;
            shown.value = id;
            changed();
          }}
        />
      )}
    </>
  );
}

function AccountTable({ accounts, show }: { accounts: readonly Account[]; show: (id: string) => void }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
    <section class="card scroll-x" tabIndex={0} aria-label={t('operator.accounts')}>
      <table class="accounts">
        <thead>
          <tr>
            <th scope="col">{t('operator.name')}</th>
            <th scope="col">{t('operator.plan')}</th>
            <th scope="col">{t('operator.since')}</th>
            <th scope="col">
              <span class="unseen">{t('operator.state')}</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {accounts.map(({ id, name, plan, suspended, createdAt }) => (
            <tr key={id}>
              <th scope="row">
                <button type="button" class="button link ellipsis" dir="auto" onClick={() => show(id)}>
                  {name}
                </button>
                <div class="muted small mono">{id}</div>
              </th>
              <td>{t(`plan.${plan}`)}</td>
              <td class="muted">{date(createdAt)}</td>
              <td>{suspended && <span class="tag bad">{t('operator.suspended')}</span>}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
