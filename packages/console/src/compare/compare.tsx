import { useEffect, useMemo, useRef } from 'preact/hooks';
import { number, saving, t } from '../language/text.ts';
import { resultAddress } from '../optimise/downloads.ts';
import type { Row } from '../optimise/queue.ts';
import { Change } from '../parts/change.tsx';
import { Icon } from '../parts/icon.tsx';
import { type Zoom, zooms } from './geometry.ts';
import { Stage } from './stage.tsx';
import { CompareView } from './view.ts';

interface CompareProps {
  /** Those that are done, in the order of the list. */
  readonly rows: readonly Row[];
  readonly row: Row;
  readonly show: (row: Row) => void;
  readonly close: () => void;
}

/** Original and result over each other, on the whole screen. */
export function Compare({ rows, row, show, close }: CompareProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const view = useMemo(() => new CompareView(), []);
  const place = rows.indexOf(row);
  const step = (by: number) => {
    const next = rows[place + by];
    if (next) show(next);
  };
  useModal(dialog);
  useKeys(view, step);
  const state = row.state.value;
  if (state.kind !== 'done') return null;
  return (
    <dialog ref={dialog} class="compare" aria-label={t('compare.title', { name: row.file.name })} onClose={close}>
      <header class="compare-top">
        <div class="compare-name">
          <h2 class="ellipsis">
            <bdi>{row.file.name}</bdi>
          </h2>
          <Sizes original={state.item.originalSize} optimised={state.item.optimizedSize} />
        </div>
        <div class="line">
          {rows.length > 1 && (
            <span class="line compare-steps" dir="ltr">
              <StepButton by={-1} able={place > 0} step={step} />
              <span class="numbers small muted">{t('compare.place', { n: place + 1, all: rows.length })}</span>
              <StepButton by={1} able={place < rows.length - 1} step={step} />
            </span>
          )}
          <a class="button" href={resultAddress(state.item)} download={state.item.newName}>
            <Icon name="download" />
            <span class="wide-only">{t('download')}</span>
            <span class="unseen">{state.item.newName}</span>
          </a>
          <button
            type="button"
            class="button quiet icon"
            aria-label={t('close')}
            onClick={() => dialog.current?.close()}
          >
            <Icon name="close" />
          </button>
        </div>
      </header>
      <Stage view={view} file={row.file} item={state.item} />
      <Tools view={view} />
    </dialog>
  );
}

function Sizes({ original, optimised }: { original: number; optimised: number }) {
  return (
    <p class="numbers small">
      <Change before={original} after={optimised} /> <b class="saved">{saving(optimised / original)}</b>
    </p>
  );
}

function StepButton({ by, able, step }: { by: 1 | -1; able: boolean; step: (by: number) => void }) {
  return (
    <button
      type="button"
      class="button quiet icon"
      aria-label={by < 0 ? t('compare.previous') : t('compare.next')}
      aria-disabled={!able}
      onClick={() => able && step(by)}
    >
      <Icon name={by < 0 ? 'left' : 'right'} />
    </button>
  );
}

function Tools({ view }: { view: CompareView }) {
  return (
    <footer class="compare-tools">
      <fieldset class="choice" aria-label={t('compare.zoom')}>
        {zooms.map((zoom) => (
          <label key={zoom}>
            <input type="radio" name="zoom" checked={view.zoom.value === zoom} onChange={() => view.setZoom(zoom)} />
            <span>{zoomName(zoom)}</span>
          </label>
        ))}
      </fieldset>
      <button
        type="button"
        class="button"
        aria-pressed={view.difference.value}
        onClick={() => (view.difference.value = !view.difference.value)}
      >
        {t('compare.difference')}
      </button>
      <button
        type="button"
        class="button"
        aria-pressed={view.blink.value}
        onPointerDown={() => (view.blink.value = true)}
        onPointerUp={() => (view.blink.value = false)}
        onPointerLeave={() => (view.blink.value = false)}
        onKeyDown={({ key }) => {
          if (key === ' ') view.blink.value = true;
        }}
      >
        {t('compare.hold')}
      </button>
      <p class="compare-keys muted small">
        <span>
          <kbd>←</kbd> <kbd>→</kbd> {t('compare.keyFiles')}
        </span>
        <span>
          <kbd>{t('compare.space')}</kbd> {t('compare.keyBlink')}
        </span>
        <span>
          <kbd>0</kbd> <kbd>1</kbd> <kbd>2</kbd> {t('compare.keyZoom')}
        </span>
        <span>
          <kbd>D</kbd> {t('compare.difference')}
        </span>
      </p>
    </footer>
  );
}

function zoomName(zoom: Zoom): string {
  return zoom === 'fit' ? t('compare.fit') : number(zoom, { style: 'percent' });
}

const PAN_STEP = 80;
const zoomKeys: Readonly<Record<string, Zoom>> = { 0: 'fit', 1: 1, 2: 2 };
const panKeys: Readonly<Record<string, readonly [number, number]>> = {
  ArrowLeft: [1, 0],
  ArrowRight: [-1, 0],
  ArrowUp: [0, 1],
  ArrowDown: [0, -1],
};

/** Keys of the whole view. What a focused control does with a key is the control's. */
function press(event: KeyboardEvent, view: CompareView, step: (by: number) => void): void {
  const { key, target } = event;
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  const control = target instanceof HTMLElement && target.matches('input, button, a');
  const divider = target instanceof HTMLElement && target.matches('input[type="range"]');
  const zoom = zoomKeys[key];
  const pan = panKeys[key];
  if (zoom !== undefined) view.setZoom(zoom);
  else if (key === 'd' || key === 'D') view.difference.value = !view.difference.value;
  else if (key === ' ' && (!control || divider)) view.blink.value = true;
  else if (pan && (!control || (target as HTMLElement).matches('button, a'))) {
    const along = !event.shiftKey && pan[0] !== 0;
    if (along) step(-pan[0]);
    else view.pan(pan[0] * PAN_STEP, pan[1] * PAN_STEP);
  } else return;
  event.preventDefault();
}

/** Heard on the whole window: what had the focus may be gone in another view of the pictures. */
function useKeys(view: CompareView, step: (by: number) => void): void {
  const latest = useRef(step);
  latest.current = step;
  useEffect(() => {
    const controller = new AbortController();
    const { signal } = controller;
    const release = () => {
      view.blink.value = false;
    };
    addEventListener('keydown', (event) => press(event, view, (by) => latest.current(by)), { signal });
    addEventListener('keyup', ({ key }) => key === ' ' && release(), { signal });
    addEventListener('blur', release, { signal });
    return () => controller.abort();
  }, [view]);
}

/** Opens the dialog on the whole screen; focus comes back to where it was. */
function useModal(dialog: preact.RefObject<HTMLDialogElement | null>): void {
  useEffect(() => {
    const before = document.activeElement;
    dialog.current?.showModal();
    dialog.current?.querySelector<HTMLElement>('.stage')?.focus();
    return () => {
      if (before instanceof HTMLElement && before.isConnected) before.focus();
    };
  }, []);
}
