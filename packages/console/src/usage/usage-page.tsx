import type { Key, Usage, UsageDay } from '@plume/client';
import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { bytes, date, number, percent, t } from '../language/text.ts';
import { Fault } from '../parts/fault.tsx';
import { useTask } from '../parts/task.ts';
import { plume, refreshUsage, usage } from '../session/session.ts';
import { DayChart } from './day-chart.tsx';
import { lastDays, sum, sumByDay, sumByKey } from './days.ts';

const DAYS = 30;

/** What the month has taken and left, day by day and key by key. */
export function UsagePage() {
  const entries = useSignal<readonly UsageDay[] | undefined>(undefined);
  const keys = useSignal<readonly Key[]>([]);
  const task = useTask();
  const days = lastDays(DAYS, Date.now());
  useEffect(() => {
    refreshUsage();
    task.run(async () => {
      const [used, listed] = await Promise.all([plume.usageDays(days[0]!, days.at(-1)!), plume.keys.list()]);
      keys.value = listed.keys;
      entries.value = used.days;
    });
  }, []);
  const left = usage.value;
  return (
    <>
      <div class="head">
        <div>
          <h1>{t('page.usage')}</h1>
          {left && <p>{t('usage.plan', { plan: t(`plan.${left.plan}`), reset: date(left.period.end) })}</p>}
        </div>
      </div>
      <div class="stack">
        {left && <Meters usage={left} />}
        <Fault text={task.fault.value} />
        {entries.value && <Days entries={entries.value} days={days} />}
        {entries.value && <ByKey entries={entries.value} keys={keys.value} />}
      </div>
    </>
  );
}

function Meters({ usage: { compressions, aiCredits } }: { usage: Usage }) {
  return (
    <div class="meters">
      <MeterCard
        title={t('usage.compressions')}
        used={compressions.used}
        limit={compressions.limit}
        left={compressions.remaining}
      />
      <MeterCard
        title={t('usage.credits')}
        used={aiCredits.used}
        limit={aiCredits.limit + aiCredits.topUp}
        left={aiCredits.remaining}
      >
        {aiCredits.topUp > 0 ? t('usage.topUp', { n: aiCredits.topUp }) : undefined}
      </MeterCard>
    </div>
  );
}

interface MeterCardProps {
  readonly title: string;
  readonly used: number;
  readonly limit: number;
  readonly left: number;
  readonly children?: string | undefined;
}

function MeterCard({ title, used, limit, left, children }: MeterCardProps) {
  const share = limit === 0 ? 0 : Math.min(1, used / limit);
  return (
    <section class="card padded stack-small">
      <h2>{title}</h2>
      <p class="figure numbers">
        <b>{number(left)}</b> <span class="muted">{t('usage.leftOf', { limit })}</span>
      </p>
      <meter class="unseen" aria-label={title} min={0} max={limit} value={Math.min(used, limit)}>
        {t('usage.used', { used, limit })}
      </meter>
      <div class={`meter ${limit > 0 && left === 0 ? 'full' : ''}`} aria-hidden="true">
        <i style={{ width: `${share * 100}%` }} />
      </div>
      <p class="muted small numbers">
        {t('usage.used', { used, limit })}
        {children && ` · ${children}`}
      </p>
    </section>
  );
}

function Days({ entries, days }: { entries: readonly UsageDay[]; days: readonly string[] }) {
  const total = sum(entries);
  const saved = total.bytesIn - total.bytesOut;
  return (
    <section class="card padded stack">
      <div class="line-apart">
        <h2>{t('usage.days', { n: DAYS })}</h2>
        <p class="muted small numbers">
          {t('usage.total', { n: total.compressions })}
          {total.bytesIn > 0 &&
            ` · ${t('usage.saved', { bytes: bytes(saved), share: percent(saved / total.bytesIn) })}`}
        </p>
      </div>
      {entries.length === 0 ? (
        <p class="muted chart-none">{t('usage.none')}</p>
      ) : (
        <DayChart days={sumByDay(days, entries)} />
      )}
    </section>
  );
}

function ByKey({ entries, keys }: { entries: readonly UsageDay[]; keys: readonly Key[] }) {
  const rows = sumByKey(entries);
  if (rows.length === 0) return null;
  const nameOf = (keyId: string) =>
    keyId === 'console' ? t('usage.console') : (keys.find(({ id }) => id === keyId)?.label ?? keyId);
  return (
    <section class="card stack">
      <h2 class="card-title">{t('usage.byKey')}</h2>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard */}
      <section class="scroll-x" tabIndex={0} aria-label={t('usage.byKey')}>
        <table>
          <thead>
            <tr>
              <th scope="col">{t('keys.key')}</th>
              <th scope="col" class="number">
                {t('usage.compressions')}
              </th>
              <th scope="col" class="number">
                {t('usage.credits')}
              </th>
              <th scope="col" class="number">
                {t('usage.bytesIn')}
              </th>
              <th scope="col" class="number">
                {t('usage.bytesOut')}
              </th>
            </tr>
          </thead>
          <tbody>
            {rows.map(({ keyId, compressions, aiCredits, bytesIn, bytesOut }) => (
              <tr key={keyId}>
                <th scope="row" dir="auto">
                  {nameOf(keyId)}
                </th>
                <td class="number">{number(compressions)}</td>
                <td class="number">{number(aiCredits)}</td>
                <td class="number">{bytes(bytesIn)}</td>
                <td class="number">{bytes(bytesOut)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </section>
    </section>
  );
}
