import type { WatermarkPosition } from '@plume/client';
import { useSignal } from '@preact/signals';
import { useEffect, useId, useRef } from 'preact/hooks';
import { t } from '../language/text.ts';
import { CodeBlock } from '../parts/copy-button.tsx';
import { Icon } from '../parts/icon.tsx';
import { usage } from '../session/session.ts';
import {
  bounds,
  defaults,
  formats,
  type Options,
  options,
  optionsChanged,
  positions,
  setOptions,
  textLanguages,
  usesAi,
} from './options.ts';
import { curlSnippet, scriptSnippet } from './snippets.ts';

const formatNames = { webp: 'WebP', avif: 'AVIF', jpg: 'JPEG', png: 'PNG' } as const;
const WIDE = '(min-width: 1000px)';

/** All that may be asked for. Beside the files where there is room, else folded above them. */
export function OptionsPanel() {
  const wide = useSignal(matchMedia(WIDE).matches);
  useEffect(() => {
    const query = matchMedia(WIDE);
    const change = () => {
      wide.value = query.matches;
    };
    query.addEventListener('change', change);
    return () => query.removeEventListener('change', change);
  }, []);
  return (
    <details class="options card" open={wide.value} aria-label={t('options')}>
      <summary>
        <Icon name="options" />
        <h2>{t('options')}</h2>
        <span class="muted small ellipsis options-brief">{brief(options.value)}</span>
      </summary>
      <div class="options-body">
        <FormatOptions />
        <SizeOptions />
        <AiOptions />
        <WatermarkOptions />
        <Snippets />
        {optionsChanged.value && (
          <button type="button" class="button quiet" onClick={() => setOptions(defaults)}>
            <Icon name="retry" />
            {t('options.reset')}
          </button>
        )}
      </div>
    </details>
  );
}

function brief({ format, quality, maxWidth }: Options): string {
  return [formatNames[format], format === 'png' ? '' : String(quality), maxWidth ? `≤ ${maxWidth} px` : '']
    .filter(Boolean)
    .join(' · ');
}

function FormatOptions() {
  const { format, quality } = options.value;
  const id = useId();
  return (
    <>
      <fieldset class="field">
        <legend class="label">{t('options.format')}</legend>
        <div class="choice">
          {formats.map((other) => (
            <label key={other}>
              <input
                type="radio"
                name="format"
                value={other}
                checked={other === format}
                onChange={() => setOptions({ format: other })}
              />
              <span>{formatNames[other]}</span>
            </label>
          ))}
        </div>
      </fieldset>
      <div class="field">
        <div class="line-apart">
          <label class="label" for={id}>
            {t('options.quality')}
          </label>
          <output class="numbers small" for={id}>
            {format === 'png' ? t('options.lossless') : quality}
          </output>
        </div>
        <input
          id={id}
          class="slider"
          type="range"
          min={bounds.quality[0]}
          max={bounds.quality[1]}
          value={quality}
          disabled={format === 'png'}
          onInput={({ currentTarget }) => setOptions({ quality: currentTarget.valueAsNumber })}
        />
      </div>
    </>
  );
}

function SizeOptions() {
  return (
    <fieldset class="field">
      <legend class="label">{t('options.fit')}</legend>
      <div class="pair">
        <SideField name="maxWidth" label={t('options.width')} />
        <span class="muted" aria-hidden="true">
          ×
        </span>
        <SideField name="maxHeight" label={t('options.height')} />
      </div>
      <p class="hint">{t('options.fitHint')}</p>
    </fieldset>
  );
}

function SideField({ name, label }: { name: 'maxWidth' | 'maxHeight'; label: string }) {
  const [min, max] = bounds.side;
  return (
    <input
      class="input numbers"
      type="number"
      inputMode="numeric"
      min={min}
      max={max}
      step={1}
      aria-label={label}
      placeholder={label}
      value={options.value[name] ?? ''}
      onInput={({ currentTarget }) => {
        const { valueAsNumber: side } = currentTarget;
        const fits = Number.isInteger(side) && side >= min && side <= max;
        currentTarget.setAttribute('aria-invalid', String(currentTarget.value !== '' && !fits));
        setOptions({ [name]: fits ? side : undefined });
      }}
    />
  );
}

function AiOptions() {
  const { altText, seoNames, language, context, keywords } = options.value;
  const barred = usage.value?.plan === 'free';
  return (
    <fieldset class="field">
      <legend class="label">{t('options.ai')}</legend>
      <label class="check">
        <input
          type="checkbox"
          checked={altText}
          disabled={barred}
          onChange={({ currentTarget }) => setOptions({ altText: currentTarget.checked })}
        />
        {t('options.altText')}
      </label>
      <label class="check">
        <input
          type="checkbox"
          checked={seoNames}
          disabled={barred}
          onChange={({ currentTarget }) => setOptions({ seoNames: currentTarget.checked })}
        />
        {t('options.seoNames')}
      </label>
      <p class="hint">{barred ? t('options.paidPlans') : t('options.aiCost')}</p>
      {usesAi(options.value) && !barred && (
        <div class="stack-small inset">
          <TextField label={t('options.language')}>
            {(id) => (
              <select
                id={id}
                class="input"
                value={language}
                onChange={({ currentTarget }) => setOptions({ language: currentTarget.value })}
              >
                {textLanguages.map((name) => (
                  <option key={name}>{name}</option>
                ))}
              </select>
            )}
          </TextField>
          <TextField label={t('options.context')}>
            {(id) => (
              <input
                id={id}
                class="input"
                maxLength={bounds.text}
                value={context}
                placeholder={t('options.contextExample')}
                onInput={({ currentTarget }) => setOptions({ context: currentTarget.value })}
              />
            )}
          </TextField>
          <TextField label={t('options.keywords')}>
            {(id) => (
              <input
                id={id}
                class="input"
                maxLength={bounds.text}
                value={keywords}
                placeholder={t('options.keywordsExample')}
                onInput={({ currentTarget }) => setOptions({ keywords: currentTarget.value })}
              />
            )}
          </TextField>
        </div>
      )}
    </fieldset>
  );
}

function TextField({ label, children }: { label: string; children: (id: string) => preact.ComponentChild }) {
  const id = useId();
  return (
    <div class="field">
      <label for={id}>{label}</label>
      {children(id)}
    </div>
  );
}

function WatermarkOptions() {
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

function Snippets() {
  const shown = useSignal<'curl' | 'script' | undefined>(undefined);
  const make = { curl: curlSnippet, script: scriptSnippet } as const;
  return (
    <div class="field">
      <span class="label">{t('options.asCode')}</span>
      <div class="line">
        {(['curl', 'script'] as const).map((kind) => (
          <button
            key={kind}
            type="button"
            class="button"
            aria-expanded={shown.value === kind}
            onClick={() => (shown.value = shown.value === kind ? undefined : kind)}
          >
            {kind === 'curl' ? 'curl' : 'JavaScript'}
          </button>
        ))}
      </div>
      {shown.value && <CodeBlock text={make[shown.value](options.value, location.origin)} />}
    </div>
  );
}
