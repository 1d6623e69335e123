import { useSignal } from '@preact/signals';
import { useEffect, useId, useRef } from 'preact/hooks';
import { t } from '../language/text.ts';
import { rows } from '../optimise/queue.ts';
import { Fault } from '../parts/fault.tsx';
import { Feather } from '../parts/icon.tsx';
import { sentence, session, sessionFault, signIn, startSession } from './session.ts';

/** The door: a key opens it, or an invite that came with the address. */
export function SignIn() {
  const state = session.value;
  useEffect(() => {
    document.title = `${t('signIn')} · Plume`;
  });
  return (
    <main class="door">
      <div class="door-card">
        <div class="brand">
          <Feather />
          Plume
        </div>
        {state.kind === 'none' ? <KeyForm ended={state.ended} /> : <Waiting />}
      </div>
    </main>
  );
}

/** Shown only when it takes long, or when it cannot be found out who is signed in. */
function Waiting() {
  const fault = sessionFault.value;
  if (fault === undefined) return <p class="door-wait muted">{t('oneMoment')}</p>;
  return (
    <>
      <Fault text={fault} />
      <button type="button" class="button" onClick={startSession}>
        {t('retry')}
      </button>
    </>
  );
}

function KeyForm({ ended }: { ended: boolean }) {
  const id = useId();
  const input = useRef<HTMLInputElement>(null);
  const busy = useSignal(false);
  const fault = sessionFault;
  useEffect(() => input.current?.focus(), []);
  const submit = async (event: Event) => {
    event.preventDefault();
    const key = input.current?.value.trim();
    if (!key || busy.value) return;
    busy.value = true;
    fault.value = undefined;
    try {
      await signIn({ key });
    } catch (error) {
      fault.value = sentence(error);
      input.current?.select();
    } finally {
      busy.value = false;
    }
  };
  return (
    <>
      <div class="stack-small">
        <h1>{t('signIn')}</h1>
        <p class="muted">{ended ? t('signIn.ended') : t('signIn.lead')}</p>
        {ended && rows.value.length > 0 && <p class="notice good">{t('signIn.kept', { n: rows.value.length })}</p>}
      </div>
      <form onSubmit={submit}>
        <div class="field">
          <label for={id}>{t('signIn.key')}</label>
          <input
            ref={input}
            id={id}
            class="input mono"
            type="password"
            name="key"
            autocomplete="current-password"
            spellcheck={false}
            placeholder="plume_…"
            aria-describedby={`${id}-hint`}
          />
          <p class="hint" id={`${id}-hint`}>
            {t('signIn.hint')}
          </p>
        </div>
        <Fault text={fault.value} />
        <button type="submit" class="button primary large" disabled={busy.value}>
          {busy.value ? t('oneMoment') : t('signIn')}
        </button>
      </form>
      <p class="small muted">
        <a href="/docs/">{t('page.docs')}</a>
      </p>
    </>
  );
}
