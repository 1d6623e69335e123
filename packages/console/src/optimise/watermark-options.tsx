import type { WatermarkPosition } from '@plume/client';
import { useSignal } from '@preact/signals';
import { useId, useRef } from 'preact/hooks';
import { t } from '../language/text.ts';
import { Icon } from '../parts/icon.tsx';
import { usage } from '../session/session.ts';
import { bounds, options, positions, setOptions } from './options.ts';

/** A PNG that is put on every image, where and how. */
export function WatermarkOptions() {
  const { watermark, watermarkScale, watermarkOpacity } = options.value;
  const input = useRef<HTMLInputElement>(null);
  const fault = useSignal(false);
  const barred = usage.value?.plan === 'free';
  return (
    <fieldset class="field">
      <legend class="label">{t('options.watermark')}</legend>
      <input
        ref={input}
        type="file"
        accept="image/png"
        hidden
        data-watermark
        onChange={({ currentTarget }) => {
          const file = currentTarget.files?.[0];
          fault.value = file !== undefined && (file.size > bounds.watermarkBytes || file.type !== 'image/png');
          if (file && !fault.value) setOptions({ watermark: file });
          currentTarget.value = '';
        }}
      />
      <div class="line">
        <button type="button" class="button" disabled={barred} onClick={() => input.current?.click()}>
          {watermark ? t('options.watermarkOther') : t('options.watermarkChoose')}
        </button>
        {watermark && (
          <>
            <span class="small ellipsis options-file">{watermark.name}</span>
            <button
              type="button"
              class="button quiet icon small"
              aria-label={t('options.watermarkRemove')}
              onClick={() => setOptions({ watermark: undefined })}
            >
              <Icon name="close" />
            </button>
          </>
        )}
      </div>
      {(fault.value || !watermark) && (
        <p class={`hint ${fault.value ? 'bad' : ''}`} role={fault.value ? 'alert' : undefined}>
          {barred ? t('options.paidPlans') : t('options.watermarkHint')}
        </p>
      )}
      {watermark && (
        <div class="watermark inset">
          <PositionField />
          <div class="stack-small">
            <PercentField
              label={t('options.watermarkScale')}
              range={bounds.scale}
              value={watermarkScale}
              set={(value) => setOptions({ watermarkScale: value })}
            />
            <PercentField
              label={t('options.watermarkOpacity')}
              range={bounds.opacity}
              value={watermarkOpacity}
              set={(value) => setOptions({ watermarkOpacity: value })}
            />
          </div>
        </div>
      )}
    </fieldset>
  );
}

function PositionField() {
  const name = (position: WatermarkPosition) => t(`position.${position}`);
  return (
    <fieldset class="positions" aria-label={t('options.watermarkPosition')}>
      {positions.map((position) => (
        <label key={position} title={name(position)}>
          <input
            type="radio"
            name="position"
            aria-label={name(position)}
            checked={options.value.watermarkPosition === position}
            onChange={() => setOptions({ watermarkPosition: position })}
          />
        </label>
      ))}
    </fieldset>
  );
}

interface PercentFieldProps {
  readonly label: string;
  readonly range: readonly [number, number];
  readonly value: number;
  readonly set: (value: number) => void;
}

function PercentField({ label, range, value, set }: PercentFieldProps) {
  const id = useId();
  return (
    <div class="field">
      <div class="line-apart small">
        <label for={id}>{label}</label>
        <output class="numbers" for={id}>
          {value} %
        </output>
      </div>
      <input
        id={id}
        class="slider"
        type="range"
        min={range[0]}
        max={range[1]}
        value={value}
        onInput={({ currentTarget }) => set(currentTarget.valueAsNumber)}
      />
    </div>
  );
}
