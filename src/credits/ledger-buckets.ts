import { type Refill, type TokenBucket, untilFull } from './token-bucket.ts';

/** The stored token bucket of this id; undefined when there is none, which is as good as a full one. */
export function findBucket(sql: SqlStorage, id: string): TokenBucket | undefined {
  const [row] = sql.exec<{ tokens: number; at: number }>('SELECT tokens, at FROM buckets WHERE id = ?', id);
  return row;
}

/** Stores a bucket as it was left at `bucket.at`, with the time (ms) from which its row is of no more use. Writes one row. */
export function saveBucket(sql: SqlStorage, id: string, bucket: TokenBucket, refill: Refill): void {
  const fullAt = Math.ceil(bucket.at + untilFull(bucket, refill, bucket.at));
  const insert = 'INSERT OR REPLACE INTO buckets (id, tokens, at, full_at) VALUES (?, ?, ?, ?)';
  sql.exec(insert, id, bucket.tokens, bucket.at, fullAt);
}
