import { useSignal } from '@preact/signals';
import { date, number, t } from '../language/text.ts';
import { type DaySum, roundUp } from './days.ts';

const WIDTH = 720;
const HEIGHT = 180;
const TOP = 8;
const GAP = 3;

/** Compressions a day as bars; the same as a table for who cannot see them. */
export function DayChart({ days }: { days: readonly DaySum[] }) {
  const pointed = useSignal<DaySum | undefined>(undefined);
  const end = roundUp(Math.max(...days.map(({ compressions }) => compressions)));
  const step = WIDTH / days.length;
  const heightOf = (value: number) => (value / end) * (HEIGHT - TOP);
  const shown = pointed.value;
  return (
    <figure class="chart">
      <div class="chart-plot" dir="ltr">
        <svg
          viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
          preserveAspectRatio="none"
          aria-hidden="true"
          onPointerLeave={() => (pointed.value = undefined)}
        >
          {[0, 0.5, 1].map((share) => (
            <line
              key={share}
              class="chart-line"
              x1={0}
              x2={WIDTH}
              y1={HEIGHT - heightOf(end * share)}
              y2={HEIGHT - heightOf(end * share)}
            />
          ))}
          {days.map((day, at) => (
            <g
              key={day.day}
              class={`chart-day ${shown === day ? 'is-pointed' : ''}`}
              onPointerEnter={() => (pointed.value = day)}
            >
              <rect class="chart-catch" x={at * step} y={0} width={step} height={HEIGHT} />
              <rect
                class="chart-bar"
                x={at * step + GAP}
                y={HEIGHT - heightOf(day.compressions)}
                width={step - 2 * GAP}
                height={heightOf(day.compressions)}
                rx={2}
              />
            </g>
          ))}
        </svg>
        <span class="chart-end muted numbers">{number(end)}</span>
      </div>
      <figcaption dir="ltr" class="line-apart muted small numbers">
        {shown ? (
          <span class="chart-told">
            {dayName(shown.day)} · <b>{t('usage.total', { n: shown.compressions })}</b>
          </span>
        ) : (
          <>
            <span>{dayName(days[0]!.day)}</span>
            <span>{dayName(days.at(-1)!.day)}</span>
          </>
        )}
      </figcaption>
      <details class="chart-table">
        <summary class="small">{t('usage.asTable')}</summary>
        <table>
          <thead>
            <tr>
              <th scope="col">{t('usage.day')}</th>
              <th scope="col" class="number">
                {t('usage.compressions')}
              </th>
              <th scope="col" class="number">
                {t('usage.credits')}
              </th>
            </tr>
          </thead>
          <tbody>
            {days
              .filter(({ compressions, aiCredits }) => compressions + aiCredits > 0)
              .map(({ day, compressions, aiCredits }) => (
                <tr key={day}>
                  <th scope="row">{dayName(day)}</th>
                  <td class="number">{number(compressions)}</td>
                  <td class="number">{number(aiCredits)}</td>
                </tr>
              ))}
          </tbody>
        </table>
      </details>
    </figure>
  );
}

/** Days of the account are UTC's, wherever the page is read. */
function dayName(day: string): string {
  return date(`${day}T12:00:00Z`);
}
