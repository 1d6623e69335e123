import { bytes, number, percent, t } from '../language/text.ts';
import { Fault } from '../parts/fault.tsx';
import { Icon } from '../parts/icon.tsx';
import { useTask } from '../parts/task.ts';
import { canSaveToFolder, saveToFolder, saveZip } from './downloads.ts';
import { options } from './options.ts';
import { busyRows, clear, doneRows, failedRows, isRepeatable, type Row, rows, start } from './queue.ts';

/** Where the work stands, and what can be done with all of it. */
export function ResultBar({ compare }: { compare: (row: Row) => void }) {
  const task = useTask();
  const done = doneRows.value;
  const items = done.flatMap(({ state }) => (state.value.kind === 'done' ? [state.value.item] : []));
  const busy = busyRows.value.length;
  const again = failedRows.value.filter(({ state }) => state.value.kind === 'failed' && isRepeatable(state.value.why));
  const first = done[0];
  return (
    <div class="stack-small">
      <div class="line-apart result-bar">
        <Totals />
        <div class="line">
          {again.length > 0 && busy === 0 && (
            <button type="button" class="button" onClick={() => start(again, options.value)}>
              <Icon name="retry" />
              {t('results.retry', { n: again.length })}
            </button>
          )}
          {first && (
            <button type="button" class="button" onClick={() => compare(first)}>
              <Icon name="compare" />
              {t('compare')}
            </button>
          )}
          {items.length > 0 && canSaveToFolder && (
            <button type="button" class="button" disabled={task.busy.value} onClick={() => task.run(async () => void (await saveToFolder(done)))}>
              <Icon name="folder" />
              {t('results.folder')}
            </button>
          )}
          {items.length > 1 && (
            <button type="button" class="button" disabled={task.busy.value} onClick={() => task.run(() => saveZip(items, 'plume'))}>
              <Icon name="download" />
              {t('results.zip')}
            </button>
          )}
          <button type="button" class="button quiet" onClick={clear}>
            {t('results.clear')}
          </button>
        </div>
      </div>
      <Fault text={task.fault.value} />
    </div>
  );
}

function Totals() {
  const items = doneRows.value.flatMap(({ state }) => (state.value.kind === 'done' ? [state.value.item] : []));
  const before = items.reduce((sum, { originalSize }) => sum + originalSize, 0);
  const after = items.reduce((sum, { optimizedSize }) => sum + optimizedSize, 0);
  const failed = failedRows.value.length;
  const busy = busyRows.value.length;
  const all = rows.value.reduce((sum, { file }) => sum + file.size, 0);
  return (
    <p class="totals numbers">
      {items.length === 0 && busy === 0 ? (
        <>
          <b>{t('files', { n: rows.value.length })}</b> <span class="muted">· {bytes(all)}</span>
        </>
      ) : (
        <>
          <b>{busy > 0 ? t('results.progress', { done: number(items.length), all: number(items.length + busy) }) : t('results.done', { n: items.length })}</b>
          {items.length > 0 && (
            <span class="muted">
              {' '}
              · {bytes(before)} → {bytes(after)} · <b class="saved">{percent(after / before - 1)}</b>
            </span>
          )}
        </>
      )}
      {failed > 0 && <span class="bad"> · {t('results.failed', { n: failed })}</span>}
    </p>
  );
}
