import type { ResultItem } from '@plume/client';
import { useEffect } from 'preact/hooks';
import { bytes, percent, saving, t } from '../language/text.ts';
import { Change } from '../parts/change.tsx';
import { Icon } from '../parts/icon.tsx';
import { resultAddress } from './downloads.ts';
import { bounds, options } from './options.ts';
import { isRemovable, isRepeatable, type Row, type RowState, remove, start, type Why } from './queue.ts';
import { wantThumbnail } from './thumbnails.ts';

/** One file, from its drop to its result. */
export function FileRow({ row, compare }: { row: Row; compare: () => void }) {
  useEffect(() => wantThumbnail(row), [row]);
  const state = row.state.value;
  const name = state.kind === 'done' ? state.item.newName : row.file.name;
  return (
    <li class={`file is-${state.kind}`} data-state={state.kind}>
      <Thumbnail row={row} compare={state.kind === 'done' ? compare : undefined} />
      <div class="file-text">
        <span class="file-name ellipsis" title={row.folder + row.file.name}>
          <bdi>{name}</bdi>
        </span>
        <Fate state={state} file={row.file} />
      </div>
      <Saving state={state} />
      <Actions row={row} state={state} name={name} compare={compare} />
    </li>
  );
}

function Thumbnail({ row, compare }: { row: Row; compare: (() => void) | undefined }) {
  const address = row.thumbnail.value;
  const picture = address ? <img src={address} alt="" width={56} height={42} /> : <Icon name="picture" />;
  if (!compare) return <span class={`thumbnail ${address === undefined ? 'is-coming' : ''}`}>{picture}</span>;
  // The button beside it does the same and has the name: this one is for the pointer.
  return (
    <button type="button" class="thumbnail" tabIndex={-1} aria-hidden="true" onClick={compare}>
      {picture}
    </button>
  );
}

function Fate({ state, file }: { state: RowState; file: File }) {
  switch (state.kind) {
    case 'ready':
      return <span class="file-fate numbers">{bytes(file.size)}</span>;
    case 'waiting':
      return <Progress text={t('file.waiting')} share={0} />;
    case 'uploading':
      return <Progress text={t('file.uploading', { share: percent(state.share) })} share={state.share} />;
    case 'queued':
      return <Progress text={t('file.queued')} share={1} />;
    case 'running':
      return <Progress text={t('file.running')} share={undefined} />;
    case 'done':
      return <DoneFate item={state.item} />;
    case 'failed':
      return (
        <span class="file-fate bad" role="note">
          {reasonText(state.why, file)}
        </span>
      );
  }
}

/** Without a share it is not known how far the work is, and nothing pretends to know. */
function Progress({ text, share }: { text: string; share: number | undefined }) {
  const style = share === undefined ? {} : { width: `${share * 100}%` };
  return (
    <span class="file-fate">
      <span class="numbers">{text}</span>
      <span class={`bar ${share === undefined ? 'is-moving' : ''}`} aria-hidden="true">
        <i style={style} />
      </span>
    </span>
  );
}

function DoneFate({ item }: { item: ResultItem }) {
  const size = item.width && item.height ? `${item.width} × ${item.height}` : undefined;
  return (
    <span class="file-fate numbers">
      <Change before={item.originalSize} after={item.optimizedSize} />
      {size && (
        <span class="file-size">
          {' '}
          · <bdi dir="ltr">{size}</bdi>
        </span>
      )}
      {item.altText && (
        <span class="file-alt" dir="auto">
          {item.altText}
        </span>
      )}
      {item.warnings?.map(({ code, message }) => (
        <span class="file-warning" key={code}>
          {message}
        </span>
      ))}
    </span>
  );
}

function Saving({ state }: { state: RowState }) {
  if (state.kind !== 'done') return <span class="saving" />;
  const { originalSize, optimizedSize, unchanged } = state.item;
  if (unchanged) return <span class="saving tag">{t('file.unchanged')}</span>;
  const share = optimizedSize / originalSize;
  return <span class={`saving tag numbers ${share < 1 ? 'good' : ''}`}>{saving(share)}</span>;
}

interface ActionsProps {
  readonly row: Row;
  readonly state: RowState;
  readonly name: string;
  readonly compare: () => void;
}

function Actions({ row, state, name, compare }: ActionsProps) {
  return (
    <span class="file-actions">
      {state.kind === 'done' && (
        <>
          <button
            type="button"
            class="button quiet icon"
            aria-label={t('file.compare', { name })}
            title={t('compare')}
            onClick={compare}
          >
            <Icon name="compare" />
          </button>
          <a
            class="button quiet icon"
            href={resultAddress(state.item)}
            download={name}
            aria-label={t('file.download', { name })}
            title={t('download')}
          >
            <Icon name="download" />
          </a>
        </>
      )}
      {state.kind === 'failed' && isRepeatable(state, options.value) && (
        <button
          type="button"
          class="button quiet icon"
          aria-label={t('file.retry', { name })}
          title={t('retry')}
          onClick={() => start([row], options.value)}
        >
          <Icon name="retry" />
        </button>
      )}
      {isRemovable(state) && (
        <button
          type="button"
          class="button quiet icon"
          aria-label={t('file.remove', { name })}
          title={state.kind === 'waiting' || state.kind === 'uploading' ? t('cancel') : t('remove')}
          onClick={() => remove(row)}
        >
          <Icon name="close" />
        </button>
      )}
    </span>
  );
}

function reasonText(why: Why, file: File): string {
  if (why.by === 'server') return why.message;
  if (why.reason === 'too-large') return t('file.tooLarge', { size: bytes(file.size), limit: bytes(bounds.fileBytes) });
  return why.reason === 'empty' ? t('file.empty') : t('file.lost');
}
