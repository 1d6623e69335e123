import type { AuditEntry, Page } from '@plume/client';
import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { date, t } from '../language/text.ts';
import { Fault } from '../parts/fault.tsx';
import { useTask } from '../parts/task.ts';

interface AuditListProps {
  readonly load: (page: {
    limit: number;
    cursor?: string;
  }) => Promise<{ readonly entries: readonly AuditEntry[] } & Page>;
}

const PAGE = 10;

/** Who did what, the newest first. */
export function AuditList({ load }: AuditListProps) {
  const entries = useSignal<readonly AuditEntry[] | undefined>(undefined);
  const cursor = useSignal<string | undefined>(undefined);
  const task = useTask();
  const more = () =>
    task.run(async () => {
      const page = await load({ limit: PAGE, ...(cursor.value && { cursor: cursor.value }) });
      entries.value = [...(entries.value ?? []), ...page.entries];
      cursor.value = page.nextCursor;
    });
  useEffect(() => void more(), []);
  return (
    <section class="card">
      <h2 class="card-title">{t('audit')}</h2>
      <Fault text={task.fault.value} />
      {entries.value?.length === 0 && <p class="muted card-text">{t('audit.none')}</p>}
      {entries.value && entries.value.length > 0 && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
        <section class="scroll-x" tabIndex={0} aria-label={t('audit')}>
          <table>
            <thead>
              <tr>
                <th scope="col">{t('audit.when')}</th>
                <th scope="col">{t('audit.who')}</th>
                <th scope="col">{t('audit.what')}</th>
                <th scope="col">{t('audit.from')}</th>
              </tr>
            </thead>
            <tbody>
              {entries.value.map((entry) => (
                <tr key={`${entry.requestId} ${entry.action} ${entry.target}`}>
                  <td class="when">{date(entry.at, 'both')}</td>
                  <td dir="auto">{actorName(entry)}</td>
                  <td>
                    <code>{entry.action}</code> <span class="muted small">{detailText(entry)}</span>
                  </td>
                  <td class="muted">{entry.address}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </section>
      )}
      {cursor.value && (
        <div class="card-text">
          <button type="button" class="button" disabled={task.busy.value} onClick={more}>
            {t('more')}
          </button>
        </div>
      )}
    </section>
  );
}

function actorName({ admin, actor }: AuditEntry): string {
  if (actor === 'owner') return t('audit.owner');
  return admin ?? t('operator');
}

function detailText({ target, details }: AuditEntry): string {
  const told = Object.entries(details)
    .filter(([name]) => name !== 'accountId')
    .map(([name, value]) => `${name}: ${String(value)}`);
  return [target, ...told].join(' · ');
}
