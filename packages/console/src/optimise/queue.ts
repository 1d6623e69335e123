import {
  batchBounds,
  batchLength,
  ConnectionError,
  type FileErrorCode,
  type FileEvent,
  QuotaError,
  type ResultItem,
  TimeoutError,
  type Usage,
} from '@plume/client';
import { computed, effect, type Signal, signal, batch as together } from '@preact/signals';
import { noteEnd, plume, refreshUsage, sentence, session, usage } from '../session/session.ts';
import { bounds, callOptions, type Options, sameWork } from './options.ts';

/** A file as it goes through the page. */
export interface Row {
  readonly id: number;
  readonly file: File;
  /** The folder that it was dropped with, with a slash at its end; else empty. */
  readonly folder: string;
  readonly state: Signal<RowState>;
  /** The address of a small picture of it; undefined until there is one, null where the browser cannot make one. */
  readonly thumbnail: Signal<string | null | undefined>;
}

export type RowState =
  | { readonly kind: 'ready' }
  | { readonly kind: 'waiting' }
  /** Share of its bytes that have left, 0 to 1. */
  | { readonly kind: 'uploading'; readonly share: number }
  | { readonly kind: 'queued' }
  | { readonly kind: 'running' }
  | { readonly kind: 'done'; readonly item: ResultItem; readonly options: Options }
  | { readonly kind: 'failed'; readonly why: Why; readonly options?: Options };

/** The server's sentence, or what the page itself found before anything was sent. */
export type Why =
  | { readonly by: 'server'; readonly message: string; readonly code?: FileErrorCode }
  | { readonly by: 'page'; readonly reason: 'too-large' | 'empty' | 'lost' };

/** Rows that travel together. Their key stays the same however often they are sent. */
interface Batch {
  readonly rows: readonly Row[];
  readonly options: Options;
  readonly key: string;
  readonly controller: AbortController;
}

/** Requests at once: the smallest plan allows two uploads. */
const BATCHES_AT_ONCE = 2;
/** The first batches are small, so that the first results come soon. */
const firstBatches = [3, 6, 12];

export const rows = signal<readonly Row[]>([]);
export const online = signal(navigator.onLine);
const waiting: { row: Row; options: Options }[] = [];
/** Batches whose connection broke: sent again under their key, so that nothing is done twice. */
const broken: Batch[] = [];
const active = signal<readonly Batch[]>([]);
let begun = 0;
let nextId = 1;

const withState = (...kinds: RowState['kind'][]) =>
  computed(() => rows.value.filter(({ state }) => kinds.includes(state.value.kind)));
export const readyRows = withState('ready');
export const doneRows = withState('done');
export const failedRows = withState('failed');
export const busyRows = withState('waiting', 'uploading', 'queued', 'running');
export const unsentRows = withState('waiting', 'uploading');

addEventListener('online', () => {
  online.value = true;
  pump();
});
addEventListener('offline', () => {
  online.value = false;
});
addEventListener('beforeunload', (event) => {
  // What has arrived goes on without this page; what has not would be lost.
  if (unsentRows.value.length > 0) event.preventDefault();
});
effect(() => {
  if (session.value.kind === 'owner') pump();
});

/** Adds files; what the service would refuse unseen says so at once. */
export function addFiles(files: readonly { file: File; folder: string }[]): void {
  const added = files.map(({ file, folder }): Row => {
    const state = signal<RowState>(firstState(file));
    return { id: nextId++, file, folder, state, thumbnail: signal(undefined) };
  });
  rows.value = [...rows.value, ...added];
}

function firstState({ size }: File): RowState {
  if (size === 0) return { kind: 'failed', why: { by: 'page', reason: 'empty' } };
  if (size > bounds.fileBytes) return { kind: 'failed', why: { by: 'page', reason: 'too-large' } };
  return { kind: 'ready' };
}

/** What is wrong with the file itself stays wrong while it is sent with the same options. */
const ofTheFile: readonly (FileErrorCode | undefined)[] = [
  'unsupported_image',
  'broken_image',
  'image_too_large',
  'animated_image',
];

/** Whether sending it again with these options may help. */
export function isRepeatable({ why, options }: Extract<RowState, { kind: 'failed' }>, now: Options): boolean {
  if (why.by === 'page') return why.reason === 'lost';
  return !ofTheFile.includes(why.code) || (options !== undefined && !sameWork(options, now));
}

/** Puts rows in front of the service with these options. */
export function start(chosen: readonly Row[], options: Options): void {
  for (const row of chosen) {
    row.state.value = { kind: 'waiting' };
    waiting.push({ row, options });
  }
  pump();
}

/** Takes a row off the page; one that is being uploaded is stopped, its neighbours start again. */
export function remove(row: Row): void {
  const at = waiting.findIndex((entry) => entry.row === row);
  if (at >= 0) waiting.splice(at, 1);
  const batch = active.value.find((other) => other.rows.includes(row));
  rows.value = rows.value.filter((other) => other !== row);
  if (row.thumbnail.value) URL.revokeObjectURL(row.thumbnail.value);
  if (batch) {
    const others = batch.rows.filter((other) => other !== row);
    for (const other of others) other.state.value = { kind: 'waiting' };
    waiting.unshift(...others.map((other) => ({ row: other, options: batch.options })));
    batch.controller.abort();
  }
}

/** Whether the row can still be taken back: what the service has, it finishes. */
export function isRemovable(state: RowState): boolean {
  return state.kind !== 'queued' && state.kind !== 'running';
}

export function clear(): void {
  for (const row of rows.value) if (isRemovable(row.state.value)) remove(row);
}

function pump(): void {
  while (online.value && session.value.kind === 'owner' && active.value.length < BATCHES_AT_ONCE) {
    const batch = broken.shift() ?? nextBatch();
    if (batch === undefined) return;
    active.value = [...active.value, batch];
    send(batch).finally(() => {
      active.value = active.value.filter((other) => other !== batch);
      pump();
      if (active.value.length === 0) refreshUsage();
    });
  }
}

function nextBatch(): Batch | undefined {
  const first = waiting[0];
  if (first === undefined) return undefined;
  const foreign = waiting.findIndex(({ options }) => options !== first.options);
  const alike = waiting.slice(0, foreign < 0 ? waiting.length : foreign);
  const files = firstBatches[begun++] ?? batchBounds.files;
  const length = batchLength(
    alike.map(({ row }) => row.file.size),
    { ...batchBounds, files },
  );
  const taken = waiting.splice(0, length).map(({ row }) => row);
  if (waiting.length === 0) begun = 0;
  return { rows: taken, options: first.options, key: crypto.randomUUID(), controller: new AbortController() };
}

async function send(batch: Batch): Promise<void> {
  const { signal } = batch.controller;
  const files = batch.rows.map(({ file }) => ({ name: file.name, content: file }));
  try {
    const outcome = await plume.compress(files, {
      ...callOptions(batch.options),
      idempotencyKey: batch.key,
      signal,
      onUpload: (sent) => together(() => showUpload(batch.rows, sent - (batch.options.watermark?.size ?? 0))),
      onFile: (event) => showEvent(batch, event),
    });
    showUsage(outcome.usage);
  } catch (error) {
    if (!signal.aborted) giveUp(batch, error);
  }
}

/** What is left after a batch, unless a later one has told already: answers of several batches overtake each other. */
function showUsage(told: Usage | undefined): void {
  if (told && told.compressions.used >= (usage.value?.compressions.used ?? 0)) usage.value = told;
}

/** Files leave in their order: what has left of the form is what has left of them. */
function showUpload(sentRows: readonly Row[], sent: number): void {
  let left = sent;
  for (const { file, state } of sentRows) {
    const share = Math.min(1, Math.max(0, left / file.size));
    left -= file.size;
    if (state.value.kind === 'done' || state.value.kind === 'running') continue;
    state.value = share === 1 ? { kind: 'queued' } : share > 0 ? { kind: 'uploading', share } : { kind: 'waiting' };
  }
}

function showEvent({ rows: sentRows, options }: Batch, event: FileEvent): void {
  const state = sentRows[event.index]?.state;
  if (state === undefined) return;
  if (event.state === 'done') state.value = { kind: 'done', item: event.item, options };
  else if (event.state === 'failed') {
    const { message, error: code } = event.failure;
    state.value = { kind: 'failed', why: { by: 'server', message, code }, options };
  } else if (state.value.kind !== 'done') state.value = { kind: event.state };
}

function giveUp(batch: Batch, error: unknown): void {
  const open = batch.rows.filter(({ state }) => state.value.kind !== 'done' && state.value.kind !== 'failed');
  const lost = error instanceof ConnectionError || error instanceof TimeoutError;
  if (noteEnd(error) || (lost && !navigator.onLine)) {
    online.value = navigator.onLine;
    for (const { state } of open) state.value = { kind: 'waiting' };
    broken.push(batch);
    return;
  }
  const why: Why = lost ? { by: 'page', reason: 'lost' } : { by: 'server', message: sentence(error) };
  for (const { state } of open) state.value = { kind: 'failed', why };
  if (error instanceof QuotaError) holdBack();
}

/** Nothing more fits into what is left: the rest waits for a decision instead of failing one by one. */
function holdBack(): void {
  for (const { row } of waiting.splice(0)) row.state.value = { kind: 'ready' };
}
