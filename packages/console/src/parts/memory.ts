/** What this browser keeps of the page's settings: never a secret. Where it keeps nothing, the page works without. */
type Setting = 'language' | 'theme';

export function remembered(setting: Setting): string | undefined {
  try {
    return localStorage.getItem(`plume.${setting}`) ?? undefined;
  } catch {
    return undefined;
  }
}

export function remember(setting: Setting, value: string): void {
  try {
    localStorage.setItem(`plume.${setting}`, value);
  } catch {
    // Kept for this page only.
  }
}
