import type { ResultItem } from '@plume/client';
import { useEffect, useRef } from 'preact/hooks';
import { bytes, number, saving, t } from '../language/text.ts';
import { announce } from '../parts/announcer.tsx';
import { Change } from '../parts/change.tsx';
import { Fault } from '../parts/fault.tsx';
import { Icon } from '../parts/icon.tsx';
import { type Task, useTask } from '../parts/task.ts';
import { canSaveToFolder, saveToFolder, saveZip } from './downloads.ts';
import { options } from './options.ts';
import { busyRows, clear, doneRows, failedRows, isRepeatable, type Row, rows, start } from './queue.ts';

/** Where the work stands, and what can be done with all of it. Nothing moves when the first result comes. */
export function ResultBar({ compare }: { compare: (row: Row) => void }) {
  const task = useTask();
  const items = doneRows.value.flatMap(({ state }) => (state.value.kind === 'done' ? [state.value.item] : []));
  const busy = busyRows.value.length > 0;
  const begun = busy || items.length + failedRows.value.length > 0;
  const card = useRef<HTMLDivElement>(null);
  useEffect(() => {
    // The button that started it is gone: who pressed it by keyboard goes on here.
    if (busy && document.activeElement === document.body) card.current?.focus({ preventScroll: true });
  }, [busy]);
  return (
    <>
      <div ref={card} tabIndex={-1} class={begun ? 'card results' : 'results-before'}>
        <div class="line-apart">
          {begun ? <Totals items={items} /> : <Chosen />}
          <button type="button" class="button quiet" onClick={clear}>
            {t('results.clear')}
          </button>
        </div>
        {begun && (
          <div class="line">
            <Downloads items={items} task={task} compare={compare} />
            <RetryAll />
          </div>
        )}
      </div>
      <Fault text={task.fault.value} />
    </>
  );
}

function Chosen() {
  const size = rows.value.reduce((sum, { file }) => sum + file.size, 0);
  return (
    <p class="numbers">
      <b>{t('files', { n: rows.value.length })}</b> <span class="muted">· {bytes(size)}</span>
    </p>
  );
}

/** Only what is done counts: nothing is promised for the rest. */
function Totals({ items }: { items: readonly ResultItem[] }) {
  const before = items.reduce((sum, { originalSize }) => sum + originalSize, 0);
  const after = items.reduce((sum, { optimizedSize }) => sum + optimizedSize, 0);
  const failed = failedRows.value.length;
  const busy = busyRows.value.length;
  const size = rows.value.reduce((sum, { file }) => sum + file.size, 0);
  return (
    <div class="totals numbers">
      <b class="totals-figure">{items.length > 0 ? saving(after / before) : '…'}</b>
      <div>
        <p>
          <b>
            {busy > 0
              ? t('results.progress', {
                  done: number(items.length + failed),
                  all: number(items.length + failed + busy),
                })
              : t('results.done', { n: items.length })}
          </b>
          {failed > 0 && <span class="bad"> · {t('results.failed', { n: failed })}</span>}
        </p>
        <p class="muted">{items.length > 0 ? <Change before={before} after={after} /> : bytes(size)}</p>
      </div>
    </div>
  );
}

interface DownloadsProps {
  readonly items: readonly ResultItem[];
  readonly task: Task;
  readonly compare: (row: Row) => void;
}

function Downloads({ items, task, compare }: DownloadsProps) {
  const done = doneRows.value;
  const first = done[0];
  const none = items.length === 0 || task.busy.value;
  return (
    <>
      {rows.value.length > 1 && (
        <button
          type="button"
          class="button primary"
          disabled={none}
          onClick={() => task.run(() => saveZip(items, 'plume'))}
        >
          <Icon name="download" />
          {t('results.zip')}
        </button>
      )}
      {canSaveToFolder && (
        <button
          type="button"
          class="button"
          disabled={none}
          onClick={() =>
            task.run(async () => {
              const n = await saveToFolder(done);
              if (n !== undefined) announce(t('results.written', { n }));
            })
          }
        >
          <Icon name="folder" />
          {t('results.folder')}
        </button>
      )}
      <button type="button" class="button" disabled={!first} onClick={() => first && compare(first)}>
        <Icon name="compare" />
        {t('compare')}
      </button>
    </>
  );
}

function RetryAll() {
  if (busyRows.value.length > 0) return null;
  const again = failedRows.value.filter(
    ({ state }) => state.value.kind === 'failed' && isRepeatable(state.value, options.value),
  );
  if (again.length === 0) return null;
  return (
    <button type="button" class="button" onClick={() => start(again, options.value)}>
      <Icon name="retry" />
      {t('results.retry', { n: again.length })}
    </button>
  );
}
