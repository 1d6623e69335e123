import type { IssuedKey, Key } from '@plume/client';
import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { ago, date, t } from '../language/text.ts';
import { Fault } from '../parts/fault.tsx';
import { Icon } from '../parts/icon.tsx';
import { useTask } from '../parts/task.ts';
import { plume, usage } from '../session/session.ts';
import { AuditList } from './audit-list.tsx';
import { NewKey } from './new-key.tsx';
import { RevokeKey } from './revoke-key.tsx';
import { RollKey } from './roll-key.tsx';
import { ShownKey } from './shown-key.tsx';

type Open = { readonly kind: 'new' } | { readonly kind: 'roll' | 'revoke'; readonly key: Key };

/** The account's keys: made, rolled and revoked by their owner. */
export function KeysPage() {
  const keys = useSignal<readonly Key[] | undefined>(undefined);
  const open = useSignal<Open | undefined>(undefined);
  const issued = useSignal<IssuedKey | undefined>(undefined);
  const changes = useSignal(0);
  const task = useTask();
  const load = () =>
    task.run(async () => {
      keys.value = (await plume.keys.list({ limit: 100 })).keys;
      changes.value++;
    });
  useEffect(() => void load(), []);
  const close = () => {
    open.value = undefined;
  };
  const done = (key?: IssuedKey) => {
    close();
    if (key) issued.value = key;
    load();
  };
  const target = open.value;
  const mayMake = usage.value === undefined || usage.value.plan === 'agency';
  return (
    <>
      <div class="head">
        <div>
          <h1>{t('page.keys')}</h1>
          <p>{t('keys.lead')}</p>
        </div>
        {mayMake && (
          <button
            type="button"
            class="button primary"
            onClick={() => {
              open.value = { kind: 'new' };
            }}
          >
            <Icon name="plus" />
            {t('keys.new')}
          </button>
        )}
      </div>
      <div class="stack">
        {!mayMake && <p class="notice careful">{t('keys.noApi')}</p>}
        {issued.value && <ShownKey issued={issued.value} close={() => (issued.value = undefined)} onUse={load} />}
        <Fault text={task.fault.value} />
        {keys.value && <KeyList keys={keys.value} open={(next) => (open.value = next)} />}
        <AuditList key={changes.value} load={(page) => plume.keys.audit(page)} />
      </div>
      {target?.kind === 'new' && <NewKey close={close} done={done} />}
      {target?.kind === 'roll' && <RollKey target={target.key} close={close} done={done} />}
      {target?.kind === 'revoke' && (
        <RevokeKey
          name={target.key.label}
          revoke={() => plume.keys.revoke(target.key.id)}
          close={close}
          done={() => done()}
        />
      )}
    </>
  );
}

function KeyList({ keys, open }: { keys: readonly Key[]; open: (next: Open) => void }) {
  const live = keys.filter(isLive);
  if (live.length === 0) {
    return (
      <div class="card blank">
        <h2>{t('keys.none')}</h2>
        <p>{t('keys.noneMore')}</p>
      </div>
    );
  }
  return (
    <ul class="plain card key-list" aria-label={t('page.keys')}>
      {live.map((key) => (
        <li key={key.id}>
          <div class="stack-small">
            <span class="line">
              <b class="ellipsis" dir="auto">
                {key.label}
              </b>
              <span class="tag">{t(`kind.${key.kind}`)}</span>
              {key.expiresAt && <span class="tag">{t('keys.expires', { when: ago(key.expiresAt) })}</span>}
            </span>
            <span class="muted small">
              <code>{key.prefix}…</code> · {t('keys.created', { when: date(key.createdAt) })} · {lastUse(key)}
            </span>
          </div>
          <span class="line">
            <button
              type="button"
              class="button"
              onClick={() => open({ kind: 'roll', key })}
              aria-label={t('keys.rollOf', { name: key.label })}
            >
              {t('keys.roll')}
            </button>
            <button
              type="button"
              class="button danger"
              onClick={() => open({ kind: 'revoke', key })}
              aria-label={t('keys.revokeOf', { name: key.label })}
            >
              {t('keys.revoke')}
            </button>
          </span>
        </li>
      ))}
    </ul>
  );
}

function isLive({ revokedAt, expiresAt }: Key): boolean {
  return revokedAt === null && (expiresAt === null || Date.parse(expiresAt) > Date.now());
}

/** Known to the hour. */
function lastUse({ lastUsedAt }: Key): string {
  return lastUsedAt ? t('keys.used', { when: ago(lastUsedAt) }) : t('keys.neverUsed');
}
