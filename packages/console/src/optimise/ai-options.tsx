import type { ComponentChild } from 'preact';
import { useId } from 'preact/hooks';
import { t } from '../language/text.ts';
import { usage } from '../session/session.ts';
import { bounds, options, setOptions, textLanguages, usesAi } from './options.ts';

/** Texts of AI: which, in what language, and what guides them. */
export function AiOptions() {
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

function TextField({ label, children }: { label: string; children: (id: string) => ComponentChild }) {
  const id = useId();
  return (
    <div class="field">
      <label for={id}>{label}</label>
      {children(id)}
    </div>
  );
}
