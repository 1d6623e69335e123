import { date, number, t } from '../language/text.ts';
import { usage } from '../session/session.ts';
import { options, sameWork, usesAi } from './options.ts';
import { busyRows, doneRows, type Row, readyRows, start } from './queue.ts';

/** What starting takes of what is left, and the start. There while there is something to start. */
export function StartBar() {
  const again = readyRows.value.length === 0 && busyRows.value.length === 0 ? outdated() : [];
  const chosen = readyRows.value.length > 0 ? readyRows.value : again;
  if (chosen.length === 0) return null;
  const { possible, warning } = whatFits(chosen.length);
  const label = again.length > 0 ? 'start.again' : 'start.button';
  return (
    <div class="start-bar">
      <div class="start-bar-inner card">
        <div class="stack-small">
          <p class="numbers">{cost(Math.max(possible, 0))}</p>
          {warning && (
            <p class="warning small" role="status">
              {warning}
            </p>
          )}
        </div>
        <button
          type="button"
          class="button primary large"
          disabled={possible <= 0}
          onClick={() => start(chosen.slice(0, possible), options.value)}
        >
          {t(label, { n: possible > 0 ? possible : chosen.length })}
        </button>
      </div>
    </div>
  );
}

/** Results that the options of now would make another way. */
function outdated(): readonly Row[] {
  return doneRows.value.filter(
    ({ state }) => state.value.kind === 'done' && !sameWork(state.value.options, options.value),
  );
}

function cost(files: number): string {
  const left = usage.value;
  if (left === undefined) return t('start.cost', { n: files });
  const compressions = t('start.costOf', { n: files, left: number(left.compressions.remaining) });
  if (!usesAi(options.value)) return compressions;
  return `${compressions} · ${t('start.credits', { n: files, left: number(left.aiCredits.remaining) })}`;
}

/** How many of the files may be started, and why not all. */
function whatFits(files: number): { possible: number; warning: string | undefined } {
  const left = usage.value;
  if (left === undefined) return { possible: files, warning: undefined };
  const { compressions, aiCredits, period } = left;
  const reset = date(period.end);
  if (compressions.remaining < files) {
    const possible = compressions.remaining;
    const key = possible === 0 ? 'start.none' : 'start.some';
    return { possible, warning: t(key, { left: possible, reset }) };
  }
  if (usesAi(options.value) && aiCredits.remaining < files) {
    const possible = aiCredits.remaining;
    const key = possible === 0 ? 'start.noCredits' : 'start.someCredits';
    return { possible, warning: t(key, { left: possible, reset }) };
  }
  return { possible: files, warning: undefined };
}
