import { useSignal } from '@preact/signals';
import { useEffect, useId } from 'preact/hooks';
import { t } from '../language/text.ts';
import { CodeBlock } from '../parts/copy-button.tsx';
import { Icon } from '../parts/icon.tsx';
import { AiOptions } from './ai-options.tsx';
import { bounds, defaults, formats, type Options, options, optionsChanged, setOptions } from './options.ts';
import { curlSnippet, scriptSnippet } from './snippets.ts';
import { WatermarkOptions } from './watermark-options.tsx';

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
