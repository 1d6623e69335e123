import { uploadLifeSeconds } from '../../src/delivery/upload-key.ts';
import type { Jurisdiction } from '../../src/platform/objects-within.ts';
import { jurisdictions } from '../../src/settings.ts';
import type { ProductionConfig } from './production-config.ts';
import { must, type RunWrangler } from './run-wrangler.ts';

const DAY_SECONDS = 24 * 60 * 60;

interface LifecycleRule {
  readonly name: string;
  readonly prefix: string;
  readonly days: number;
}

/**
 * Makes the bucket and its lifecycle rules where they are missing, and makes rules anew whose days have changed.
 * @throws Error when the bucket is in another jurisdiction than the one asked for
 */
export function makeBucket(wrangler: RunWrangler, config: ProductionConfig): void {
  const { bucket, jurisdiction } = config;
  if (!isThere(wrangler, bucket, jurisdiction, 'is the bucket there?')) {
    refuseOtherJurisdiction(wrangler, config);
    const create = ['r2', 'bucket', 'create', bucket, ...inJurisdiction(jurisdiction)];
    must(wrangler(create, { note: 'if it is not' }), 'Creating the bucket');
  }
  const list = ['r2', 'bucket', 'lifecycle', 'list', bucket, ...inJurisdiction(jurisdiction)];
  const listed = must(wrangler(list, { capture: true, note: 'which rules has it?' }), 'Listing the lifecycle rules');
  const days = daysByRule(listed.output);
  for (const rule of lifecycleRules(config)) {
    if (days.get(rule.name) !== rule.days) setRule(wrangler, config, rule, days.has(rule.name));
  }
}

/**
 * What is left behind by a request or a sweep that never ran is deleted by R2 itself, in whole days: never before the last link to a result has
 * expired, nor under a batch that uses an upload.
 */
function lifecycleRules({
  downloadSeconds,
  resultSeconds,
  stagingSeconds,
}: ProductionConfig): readonly LifecycleRule[] {
  const days = (seconds: number) => Math.max(1, Math.ceil(seconds / DAY_SECONDS));
  return [
    { name: 'plume-staging', prefix: 'staging/', days: days(stagingSeconds) },
    { name: 'plume-uploads', prefix: 'uploads/', days: days(uploadLifeSeconds(stagingSeconds)) },
    { name: 'plume-results', prefix: 'results/', days: days(downloadSeconds + resultSeconds) },
    { name: 'plume-zips', prefix: 'zips/', days: days(downloadSeconds) },
  ];
}

/** wrangler changes no rule: it is removed and added. */
function setRule(wrangler: RunWrangler, config: ProductionConfig, rule: LifecycleRule, present: boolean): void {
  const { bucket, jurisdiction } = config;
  const { name, prefix, days } = rule;
  const lifecycle = ['r2', 'bucket', 'lifecycle'];
  const where = inJurisdiction(jurisdiction);
  if (present) must(wrangler([...lifecycle, 'remove', bucket, '--name', name, ...where]), `The lifecycle rule ${name}`);
  const expiry = ['--expire-days', String(days), '--abort-multipart-days', '1', '--force'];
  const added = wrangler([...lifecycle, 'add', bucket, name, prefix, ...expiry, ...where], {
    note: 'if it is missing',
  });
  must(added, `The lifecycle rule ${name}`);
}

/** The rules that `lifecycle list` prints, each with the days after which it deletes; 0 where it does not. */
function daysByRule(listed: string): ReadonlyMap<string, number> {
  const days = new Map<string, number>();
  let name: string | undefined;
  for (const line of listed.split('\n')) {
    const [, label, value = ''] = /^\s*(name|action):\s+(.+?)\s*$/.exec(line) ?? [];
    if (label === 'name') name = value;
    if (label === 'action' && name !== undefined) {
      days.set(name, Number(/Expire objects after (\d+) days/.exec(value)?.[1] ?? 0));
    }
  }
  return days;
}

/** The same names elsewhere would be an empty service beside the one that has the data. */
function refuseOtherJurisdiction(wrangler: RunWrangler, { bucket, jurisdiction }: ProductionConfig): void {
  for (const other of [undefined, ...jurisdictions]) {
    if (other === jurisdiction || !isThere(wrangler, bucket, other, 'is it elsewhere?')) continue;
    const was = `JURISDICTION=${other ?? ''}`;
    throw new Error(
      `The bucket ${bucket} was made with ${was}, and what is in it cannot be moved by a setting. Deploy with ${was}, or see docs/operations.md.`,
    );
  }
}

function isThere(wrangler: RunWrangler, bucket: string, jurisdiction: Jurisdiction | undefined, note: string): boolean {
  return wrangler(['r2', 'bucket', 'info', bucket, ...inJurisdiction(jurisdiction)], { capture: true, note }).ok;
}

function inJurisdiction(jurisdiction: Jurisdiction | undefined): string[] {
  return jurisdiction === undefined ? [] : ['--jurisdiction', jurisdiction];
}
