import { AuthenticationError, Plume, PlumeError, type Session, type Usage } from '@plume/client';
import { signal } from '@preact/signals';
import { canRemember, forget, remember, remembered } from '../parts/memory.ts';

/** The API, signed by the page's session cookie. */
export const plume = new Plume();

export type SessionState =
  | { readonly kind: 'unknown' }
  /** `ended`: it was there before, and what the page holds is still there. */
  | { readonly kind: 'none'; readonly ended: boolean }
  | { readonly kind: 'owner'; readonly session: Session }
  | { readonly kind: 'operator'; readonly session: Session };

export const session = signal<SessionState>({ kind: 'unknown' });
/** As the server told last. */
export const usage = signal<Usage | undefined>(undefined);
/** Why the page could not find out who is signed in. */
export const sessionFault = signal<string | undefined>(undefined);

/** Finds out who is signed in; an invite in the address signs in first. */
export async function startSession(): Promise<void> {
  sessionFault.value = undefined;
  const invite = takeInvite();
  try {
    if (invite !== undefined) return await signIn({ invite });
    if (!mayBeSignedIn()) {
      session.value = { kind: 'none', ended: false };
      return;
    }
    enter(await plume.session.current());
  } catch (error) {
    if (invite === undefined && error instanceof AuthenticationError) {
      forget('session');
      session.value = { kind: 'none', ended: false };
    } else if (invite !== undefined) {
      session.value = { kind: 'none', ended: false };
      sessionFault.value = sentence(error);
    } else sessionFault.value = sentence(error);
  }
}

/** @throws PlumeError when the key or the invite does not count */
export async function signIn(proof: { key: string } | { invite: string }): Promise<void> {
  enter(await plume.session.open(proof));
  sessionFault.value = undefined;
}

export async function signOut(everywhere: boolean): Promise<void> {
  await (everywhere ? plume.session.closeAll() : plume.session.close());
  forget('session');
  // Nothing of this account stays in the page.
  location.assign('/console/');
}

// An invite that is opened where the console is open already changes nothing but the fragment.
addEventListener('hashchange', () => {
  if (location.hash.startsWith('#invite=')) startSession();
});

/** A secret in the fragment reaches no server and no log; it leaves the address before anything else happens. */
function takeInvite(): string | undefined {
  const invite = new URLSearchParams(location.hash.slice(1)).get('invite') ?? undefined;
  if (location.hash !== '') history.replaceState(null, '', location.pathname + location.search);
  return invite;
}

/** The cookie itself no script can see: a note beside it spares a visitor the question. */
function mayBeSignedIn(): boolean {
  return !canRemember() || remembered('session') !== undefined;
}

function enter(current: Session): void {
  remember('session', current.kind);
  session.value = { kind: current.kind, session: current };
  if (current.kind === 'owner') refreshUsage();
}

/** Asks how much is left; what was known stays where there is no answer. */
export async function refreshUsage(): Promise<void> {
  try {
    usage.value = await plume.usage();
  } catch (error) {
    noteEnd(error);
  }
}

/** Whether the error says that nobody is signed in any more; the page then shows its door. */
export function noteEnd(error: unknown): boolean {
  if (!(error instanceof AuthenticationError)) return false;
  forget('session');
  if (session.value.kind !== 'none') session.value = { kind: 'none', ended: true };
  return true;
}

/** What went wrong, in the server's own words where it has any. */
export function sentence(error: unknown): string {
  return error instanceof PlumeError || error instanceof Error ? error.message : String(error);
}
