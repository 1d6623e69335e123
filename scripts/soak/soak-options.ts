import { parseArgs } from 'node:util';
import type { FaultSettings } from '../../test/shell/fault-schedule.ts';

export interface SoakOptions {
  readonly minutes: number;
  readonly clients: number;
  readonly seed: number;
  /** Seconds between two lanes that are aborted in the middle of a job; 0 for none. */
  readonly killEverySeconds: number;
  /** Seconds between two deployments, each of which resets every object; 0 for none. */
  readonly deployEverySeconds: number;
  /** Ends the run once so many requests were begun; absent: when its time is over. */
  readonly mostRequests?: number;
  /** Name of the one scenario that every client carries out; absent: all of them. */
  readonly only?: string;
  /** Seconds after its client has left at which a request is cut; 0 for never, as the simulator does. */
  readonly cutSeconds: number;
  /** Seconds within which every request is to be answered. */
  readonly patienceSeconds: number;
  /** Ends the run early: what is broken is known by then. */
  readonly mostViolations: number;
  readonly faults: FaultSettings;
}

const RATES = {
  d1: { fail: 0.045, overloaded: 0.005 },
  r2: { fail: 0.006, lost: 0.003, hang: 0.001 },
  LANE: { fail: 0.002, lost: 0.002 },
  LEDGER: { fail: 0.002, lost: 0.002 },
};

/** Megabytes by which the runtime may grow in the last half; the curve of a process that is flat has waves. */
export const FLAT_MEGABYTES = 24;

/**
 * Reads `--minutes 30 --clients 20 --seed 1 --kill-every 60 --cut 30 --patience 60 --no-faults --violations 40`; also
 * `--deploy-every 20`, `--only 'five files' --requests 1000`, `--rates '{"r2":{"fail":0.01,"hang":0.001}}'`.
 * @throws TypeError for an unknown option, RangeError for what is no number
 */
export function readSoakOptions(args: readonly string[]): SoakOptions {
  const text = (otherwise: string) => ({ type: 'string', default: otherwise }) as const;
  const { values } = parseArgs({
    args: [...args],
    options: {
      minutes: text('30'),
      clients: text('20'),
      seed: text('1'),
      'kill-every': text('60'),
      'deploy-every': text('0'),
      requests: text('0'),
      only: { type: 'string' },
      rates: { type: 'string' },
      cut: text('30'),
      patience: text('60'),
      violations: text('40'),
      'no-faults': { type: 'boolean', default: false },
    },
  });
  const number = (name: Exclude<keyof typeof values, 'no-faults' | 'only' | 'rates'>) => {
    const value = Number(values[name]);
    if (!Number.isFinite(value) || value < 0) throw new RangeError(`--${name} must be a number, not "${values[name]}"`);
    return value;
  };
  const cutSeconds = number('cut');
  const cut = cutSeconds > 0 ? { cutAfterMs: cutSeconds * 1000 } : {};
  const rates = values.rates === undefined ? RATES : (JSON.parse(values.rates) as FaultSettings['rates']);
  return {
    minutes: number('minutes'),
    clients: number('clients'),
    seed: number('seed'),
    killEverySeconds: number('kill-every'),
    deployEverySeconds: number('deploy-every'),
    ...(number('requests') > 0 && { mostRequests: number('requests') }),
    ...(values.only !== undefined && { only: values.only }),
    cutSeconds,
    patienceSeconds: number('patience'),
    mostViolations: number('violations'),
    faults: { seed: number('seed'), ...cut, ...(values['no-faults'] || rates === undefined ? {} : { rates }) },
  };
}
