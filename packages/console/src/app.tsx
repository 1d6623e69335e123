import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { HistoryPage } from './history/history-page.tsx';
import { KeysPage } from './keys/keys-page.tsx';
import { type LanguageTag, languages, languageTags } from './language/languages.ts';
import { chooseLanguage, language, number, t } from './language/text.ts';
import { OperatorPage } from './operator/operator-page.tsx';
import { OptimisePage } from './optimise/optimise-page.tsx';
import { online } from './optimise/queue.ts';
import { Announcer } from './parts/announcer.tsx';
import { Feather, Icon } from './parts/icon.tsx';
import { useTask } from './parts/task.ts';
import { chooseTheme, theme, themes } from './parts/theme.ts';
import { addressOf, followHere, type PageName, page } from './router.ts';
import { session, signOut, usage } from './session/session.ts';
import { SignIn } from './session/sign-in.tsx';
import { UsagePage } from './usage/usage-page.tsx';

const ownerPages: readonly PageName[] = ['optimise', 'history', 'usage', 'keys'];
const contents: Readonly<Record<PageName, () => ComponentChildren>> = {
  optimise: OptimisePage,
  history: HistoryPage,
  usage: UsagePage,
  keys: KeysPage,
  operator: OperatorPage,
};

/** The console: its door when nobody is signed in, else the page of the address in its frame. */
export function App() {
  const { kind } = session.value;
  return (
    <>
      {kind === 'unknown' || kind === 'none' ? <SignIn /> : <Frame />}
      <Announcer />
    </>
  );
}

function Frame() {
  const isOperator = session.value.kind === 'operator';
  const shown = isOperator ? 'operator' : page.value === 'operator' ? 'optimise' : page.value;
  const Content = contents[shown];
  const main = useRef<HTMLElement>(null);
  const first = useRef(true);
  const title = t(`page.${shown}`);
  useEffect(() => {
    document.title = `${title} · Plume`;
  }, [title]);
  useEffect(() => {
    // Who goes to another page by keyboard or by ear goes on there.
    if (!first.current) main.current?.focus({ preventScroll: true });
    first.current = false;
  }, [shown]);
  return (
    <div class="frame">
      <button type="button" class="skip button" onClick={() => main.current?.focus()}>
        {t('skip')}
      </button>
      <header class="top">
        <a
          class="brand"
          href={addressOf(isOperator ? 'operator' : 'optimise')}
          onClick={(event) => followHere(event, isOperator ? 'operator' : 'optimise')}
        >
          <Feather />
          Plume
        </a>
        <nav class="nav" aria-label={t('nav')}>
          {(isOperator ? (['operator'] as const) : ownerPages).map((name) => (
            <a
              key={name}
              href={addressOf(name)}
              aria-current={name === shown ? 'page' : undefined}
              onClick={(event) => followHere(event, name)}
            >
              {t(`page.${name}`)}
            </a>
          ))}
          <a href="/docs/">{t('page.docs')}</a>
        </nav>
        <div class="top-end">
          {usage.value && !isOperator && (
            <a class="left" href={addressOf('usage')} onClick={(event) => followHere(event, 'usage')}>
              {t('left', { left: number(usage.value.compressions.remaining) })}
            </a>
          )}
          <Menu />
        </div>
      </header>
      <main class="main" id="main" ref={main} tabIndex={-1}>
        {!online.value && (
          <div class="notice careful banner" role="status">
            {t('offline')}
          </div>
        )}
        <Content />
      </main>
    </div>
  );
}

function Menu() {
  const open = useSignal(false);
  const box = useRef<HTMLDivElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  const task = useTask();
  const close = () => {
    open.value = false;
    button.current?.focus();
  };
  const current = session.value;
  const account = current.kind === 'owner' ? current.session.account : undefined;
  useEffect(() => {
    if (!open.value) return;
    const outside = (event: PointerEvent) => {
      if (!box.current?.contains(event.target as Node)) open.value = false;
    };
    addEventListener('pointerdown', outside);
    return () => removeEventListener('pointerdown', outside);
  }, [open.value]);
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: it looks after keys and focus of the controls in it
    <div
      class="menu"
      ref={box}
      onKeyDown={(event) => event.key === 'Escape' && open.value && close()}
      onFocusOut={(event: FocusEvent) => {
        if (event.relatedTarget instanceof Node && !box.current?.contains(event.relatedTarget)) open.value = false;
      }}
    >
      <button
        ref={button}
        type="button"
        class="button quiet icon"
        aria-label={t('menu')}
        aria-expanded={open.value}
        aria-controls="menu"
        onClick={() => (open.value = !open.value)}
      >
        <Icon name="person" />
      </button>
      {open.value && (
        <div class="menu-panel" id="menu">
          <div>
            <b class="ellipsis" dir="auto">
              {account?.name ?? (current.kind === 'operator' ? current.session.operator : '')}
            </b>
            <p class="muted small">{account ? t(`plan.${account.plan}`) : t('operator')}</p>
          </div>
          <LanguageField />
          <ThemeField />
          <hr />
          <div class="stack-small">
            <button type="button" class="button quiet" onClick={() => task.run(() => signOut(false))}>
              {t('signOut')}
            </button>
            <button type="button" class="button quiet" onClick={() => task.run(() => signOut(true))}>
              {t('signOutAll')}
            </button>
            {task.fault.value && <p class="bad small">{task.fault.value}</p>}
          </div>
        </div>
      )}
    </div>
  );
}

export function LanguageField() {
  return (
    <label class="field">
      <span class="label">{t('language')}</span>
      <select
        class="input"
        value={language.value}
        onChange={({ currentTarget }) => chooseLanguage(currentTarget.value as LanguageTag)}
      >
        {languageTags.map((tag) => (
          <option key={tag} value={tag} lang={tag}>
            {languages[tag].name}
          </option>
        ))}
      </select>
    </label>
  );
}

function ThemeField() {
  return (
    <fieldset class="field">
      <legend class="label">{t('theme')}</legend>
      <div class="choice">
        {themes.map((name) => (
          <label key={name}>
            <input type="radio" name="theme" checked={theme.value === name} onChange={() => chooseTheme(name)} />
            <span>{t(`theme.${name}`)}</span>
          </label>
        ))}
      </div>
    </fieldset>
  );
}
