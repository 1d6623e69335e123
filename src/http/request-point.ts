import type { RequestFacts } from './request-facts.ts';

/**
 * A request as a data point of Analytics Engine; docs/operations.md has the columns. Order and meaning stay as they are: the points of three
 * months are read together.
 */
export function requestPoint(facts: RequestFacts, versionId: string | undefined): AnalyticsEngineDataPoint {
  const { accountId = '', method, route, outcome, status, colo } = facts;
  const { durationMs, bytesIn = 0, bytesOut = 0, files = 0, failed = 0, lost = 0 } = facts;
  return {
    indexes: [accountId],
    blobs: ['request', outcome, method.slice(0, 20), route, String(status), '', colo, versionId ?? ''],
    doubles: [durationMs, bytesIn, bytesOut, files, failed, lost],
  };
}
