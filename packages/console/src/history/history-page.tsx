import type { Batch, BatchSummary } from '@plume/client';
import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { ago, date, saving, t } from '../language/text.ts';
import { resultAddress, saveZip } from '../optimise/downloads.ts';
import { Change } from '../parts/change.tsx';
import { Fault } from '../parts/fault.tsx';
import { Icon } from '../parts/icon.tsx';
import { useTask } from '../parts/task.ts';
import { plume } from '../session/session.ts';

/** The batches of the last 24 hours, whoever of the account sent them: what a closed tab has not lost. */
export function HistoryPage() {
  const list = useSignal<readonly BatchSummary[] | undefined>(undefined);
  const cursor = useSignal<string | undefined>(undefined);
  const task = useTask();
  const load = (more: boolean) =>
    task.run(async () => {
      const page = await plume.batches({ ...(more && cursor.value && { cursor: cursor.value }) });
      list.value = [...(more ? (list.value ?? []) : []), ...page.batches];
      cursor.value = page.nextCursor;
    });
  useEffect(() => void load(false), []);
  return (
    <>
      <div class="head">
        <div>
          <h1>{t('page.history')}</h1>
          <p>{t('history.lead')}</p>
        </div>
      </div>
      <div class="stack">
        <Fault text={task.fault.value} />
        {list.value?.length === 0 && (
          <div class="card blank">
            <h2>{t('history.none')}</h2>
            <p>{t('history.noneMore')}</p>
          </div>
        )}
        {list.value?.map((batch) => (
          <BatchCard key={batch.id} summary={batch} />
        ))}
        {cursor.value && (
          <button type="button" class="button" disabled={task.busy.value} onClick={() => load(true)}>
            {t('more')}
          </button>
        )}
      </div>
    </>
  );
}

function BatchCard({ summary }: { summary: BatchSummary }) {
  const batch = useSignal<Batch | undefined>(undefined);
  const task = useTask();
  const open = (is: boolean) => {
    if (!is) return;
    task.run(async () => {
      batch.value = await plume.batch(summary.id);
    });
  };
  return (
    <details class="card batch" onToggle={({ currentTarget }) => open(currentTarget.open)}>
      <summary>
        <Icon name="right" />
        <b>{t('files', { n: summary.files })}</b>
        <span class="muted" title={date(summary.createdAt, 'both')}>
          {ago(summary.createdAt)}
        </span>
        {summary.state === 'running' && <span class="tag">{t('file.running')}</span>}
      </summary>
      <div class="batch-body stack">
        <Fault text={task.fault.value} />
        {batch.value ? <BatchFiles batch={batch.value} /> : !task.fault.value && <p class="muted">{t('oneMoment')}</p>}
      </div>
    </details>
  );
}

function BatchFiles({ batch: { data, errors = [], files } }: { batch: Batch }) {
  const task = useTask();
  const open = files.length - data.length - errors.length;
  return (
    <>
      {data.length > 1 && (
        <div>
          <button
            type="button"
            class="button"
            disabled={task.busy.value}
            onClick={() => task.run(() => saveZip(data, 'plume'))}
          >
            <Icon name="download" />
            {t('results.zip')}
          </button>
        </div>
      )}
      <Fault text={task.fault.value} />
      <ul class="plain batch-files">
        {data.map((item) => (
          <li key={item.downloadUrl}>
            <span class="ellipsis" dir="auto" title={item.originalName}>
              {item.newName}
            </span>
            <span class="muted small numbers">
              <Change before={item.originalSize} after={item.optimizedSize} /> ·{' '}
              {saving(item.optimizedSize / item.originalSize)}
            </span>
            <a
              class="button quiet icon"
              href={resultAddress(item)}
              download={item.newName}
              aria-label={t('file.download', { name: item.newName })}
            >
              <Icon name="download" />
            </a>
          </li>
        ))}
        {errors.map(({ index, name, message }) => (
          <li key={index}>
            <span class="ellipsis" dir="auto">
              {name}
            </span>
            <span class="bad small">{message}</span>
          </li>
        ))}
      </ul>
      {open > 0 && <p class="muted small">{t('history.open', { n: open })}</p>}
    </>
  );
}
