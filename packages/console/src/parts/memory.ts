/** What this browser keeps of the page's settings: never a secret. Where it keeps nothing, the page works without. */
type Setting = 'language' | 'theme' | 'session';

export function remembered(setting: Setting): string | undefined {
  try {
    return localStorage.getItem(`plume.${setting}`) ?? undefined;
  } catch {
    return undefined;
  }
}

export function forget(setting: Setting): void {
  try {
    localStorage.removeItem(`plume.${setting}`);
  } catch {
    // It was not kept either.
  }
}

/** Whether this browser keeps anything at all. */
export function canRemember(): boolean {
  try {
    localStorage.setItem('plume.try', '');
    localStorage.removeItem('plume.try');
    return true;
  } catch {
    return false;
  }
}

export function remember(setting: Setting, value: string): void {
  try {
    localStorage.setItem(`plume.${setting}`, value);
  } catch {
    // Kept for this page only.
  }
}
