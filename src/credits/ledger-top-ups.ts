/** A top-up that was added. */
interface TopUp {
  readonly reference: string;
  readonly aiCredits: number;
  /** The request that added it. */
  readonly requestId: string | undefined;
  /** ms since the epoch. */
  readonly addedAt: number;
}

export function noteTopUp(sql: SqlStorage, { reference, aiCredits, addedAt, requestId }: TopUp): void {
  const columns = '(reference, ai_credits, added_at, request_id)';
  sql.exec(`INSERT INTO top_ups ${columns} VALUES (?, ?, ?, ?)`, reference, aiCredits, addedAt, requestId ?? null);
}

/** The request that added the top-up; null where that was not taken down. */
export function adderOfTopUp(sql: SqlStorage, reference: string): string | null {
  type Row = { request_id: string | null };
  return sql.exec<Row>('SELECT request_id FROM top_ups WHERE reference = ?', reference).one().request_id;
}
