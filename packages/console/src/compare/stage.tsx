import type { ResultItem } from '@plume/client';
import { useSignal } from '@preact/signals';
import { useEffect, useMemo, useRef } from 'preact/hooks';
import { bytes, percent, t } from '../language/text.ts';
import { resultAddress } from '../optimise/downloads.ts';
import type { Point } from './geometry.ts';
import type { CompareView } from './view.ts';

interface StageProps {
  readonly view: CompareView;
  readonly file: File;
  readonly item: ResultItem;
}

/** Where the two pictures lie over each other, the original on the left of the divider. It keeps the focus from file to file. */
export function Stage({ view, file, item }: StageProps) {
  const element = useRef<HTMLDivElement>(null);
  useStageSize(element, view);
  usePointer(element, view);
  const { difference, zoom } = view;
  const look = [
    'stage',
    difference.value ? 'is-difference' : '',
    view.pannable.value ? 'is-pannable' : '',
    zoom.value === 'fit' ? '' : 'is-close',
  ];
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for a form's fields; this is one place that takes keys
    <div
      ref={element}
      class={look.filter(Boolean).join(' ')}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: arrows, Space and digits work here, so it takes the focus
      tabIndex={0}
      role="group"
      aria-label={t('compare.stage')}
      dir="ltr"
    >
      <Pictures key={item.downloadUrl} view={view} file={file} item={item} />
    </div>
  );
}

function Pictures({ view, file, item }: StageProps) {
  const original = useObjectUrl(file);
  const shown = useSignal(false);
  /** The browser cannot show the original. */
  const alone = useSignal(false);
  const { blink, difference, divider } = view;
  const differing = difference.value && !alone.value;
  const blinking = blink.value && !alone.value;
  const divided = !differing && !blinking && !alone.value;
  const box = boxOf(view);
  return (
    <>
      <div class="layers">
        <div class="ground" style={box} />
        {!alone.value && (
          <div class="layer">
            <img
              src={original}
              alt={t('compare.originalOf', { name: file.name })}
              style={box}
              draggable={false}
              onError={() => {
                alone.value = true;
              }}
            />
          </div>
        )}
        <div
          class="layer layer-result"
          style={{
            clipPath: divided ? `inset(0 0 0 ${divider.value * 100}%)` : 'none',
            visibility: blinking ? 'hidden' : 'visible',
            mixBlendMode: differing ? 'difference' : 'normal',
          }}
        >
          <img
            src={resultAddress(item)}
            alt={item.altText ?? t('compare.resultOf', { name: item.newName })}
            style={box}
            draggable={false}
            onLoad={({ currentTarget }) => {
              view.picture.value = { width: currentTarget.naturalWidth, height: currentTarget.naturalHeight };
              shown.value = true;
            }}
          />
        </div>
      </div>
      {!shown.value && <p class="stage-wait">{t('compare.loading')}</p>}
      {alone.value && <p class="stage-note">{t('compare.notShown')}</p>}
      {(blinking || (divided && divider.value > 0.08)) && (
        <Chip side="left" text={t('compare.original')} size={item.originalSize} />
      )}
      {(alone.value || (divided && divider.value < 0.92)) && (
        <Chip side="right" text={resultName(item)} size={item.optimizedSize} />
      )}
      {differing && <p class="chip is-left">{t('compare.amplified')}</p>}
      {!differing && !alone.value && <Divider view={view} />}
    </>
  );
}

function Divider({ view: { divider } }: { view: CompareView }) {
  return (
    <input
      class="divider"
      type="range"
      min={0}
      max={100}
      step={0.5}
      value={divider.value * 100}
      aria-label={t('compare.divider')}
      aria-valuetext={t('compare.dividerAt', { share: percent(divider.value) })}
      onInput={({ currentTarget }) => {
        divider.value = currentTarget.valueAsNumber / 100;
      }}
    />
  );
}

function Chip({ side, text, size }: { side: 'left' | 'right'; text: string; size: number }) {
  return (
    <p class={`chip numbers is-${side}`}>
      <b>{text}</b> {bytes(size)}
    </p>
  );
}

const formatNames: Readonly<Record<string, string>> = {
  webp: 'WebP',
  avif: 'AVIF',
  jpg: 'JPEG',
  jpeg: 'JPEG',
  png: 'PNG',
};

function resultName({ format, newName }: ResultItem): string {
  const ending = format ?? newName.split('.').at(-1) ?? '';
  return formatNames[ending.toLowerCase()] ?? t('compare.result');
}

function boxOf(view: CompareView) {
  const { width, height } = view.shown.value;
  const { x, y } = view.corner.value;
  return { left: `${x}px`, top: `${y}px`, width: `${width}px`, height: `${height}px` };
}

function useObjectUrl(file: File): string {
  const address = useMemo(() => URL.createObjectURL(file), [file]);
  useEffect(() => () => URL.revokeObjectURL(address), [address]);
  return address;
}

function useStageSize(element: preact.RefObject<HTMLElement | null>, view: CompareView): void {
  useEffect(() => {
    const observer = new ResizeObserver(([entry]) => {
      if (entry) view.stage.value = { width: entry.contentRect.width, height: entry.contentRect.height };
    });
    if (element.current) observer.observe(element.current);
    return () => observer.disconnect();
  }, []);
}

/** A drag moves the picture where some of it is out of sight, else the divider. */
function usePointer(element: preact.RefObject<HTMLElement | null>, view: CompareView): void {
  useEffect(() => {
    const stage = element.current;
    if (!stage) return;
    const controller = new AbortController();
    const { signal } = controller;
    const at = ({ clientX, clientY }: MouseEvent): Point => {
      const { left, top } = stage.getBoundingClientRect();
      return { x: clientX - left, y: clientY - top };
    };
    let last: Point | undefined;
    const down = (event: PointerEvent) => {
      if (event.button !== 0 || event.target instanceof HTMLInputElement) return;
      last = at(event);
      stage.setPointerCapture(event.pointerId);
      if (!view.pannable.value) view.divideAt(last.x);
    };
    const move = (event: PointerEvent) => {
      if (last === undefined) return;
      const now = at(event);
      if (view.pannable.value) view.pan(now.x - last.x, now.y - last.y);
      else view.divideAt(now.x);
      last = now;
    };
    const up = () => {
      last = undefined;
    };
    stage.addEventListener('pointerdown', down, { signal });
    stage.addEventListener('pointermove', move, { signal });
    stage.addEventListener('pointerup', up, { signal });
    stage.addEventListener('pointercancel', up, { signal });
    const toggle = (event: MouseEvent) => view.setZoom(view.zoom.value === 'fit' ? 1 : 'fit', at(event));
    stage.addEventListener('dblclick', toggle, { signal });
    const wheel = (event: WheelEvent) => {
      event.preventDefault();
      if (!event.ctrlKey) return view.pan(-event.deltaX, -event.deltaY);
      const closer = event.deltaY < 0;
      const zoom = view.zoom.value;
      view.setZoom(closer ? (zoom === 'fit' ? 1 : 2) : zoom === 2 ? 1 : 'fit', at(event));
    };
    stage.addEventListener('wheel', wheel, { signal, passive: false });
    return () => controller.abort();
  }, []);
}
