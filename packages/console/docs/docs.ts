import './docs.css';

interface Entry {
  readonly title: string;
  readonly page: string;
  readonly address: string;
  readonly text: string;
}

const MOST = 8;

document.documentElement.dataset.theme = readTheme();
for (const block of document.querySelectorAll<HTMLElement>('figure.code')) addCopyButton(block);
startSearch();
foldWhereNarrow();

/** As it was chosen in the console. */
function readTheme(): string {
  try {
    return localStorage.getItem('plume.theme') ?? 'system';
  } catch {
    return 'system';
  }
}

function addCopyButton(block: HTMLElement): void {
  const button = document.createElement('button');
  button.type = 'button';
  button.textContent = 'Copy';
  button.addEventListener('click', async () => {
    await navigator.clipboard.writeText(block.querySelector('code')?.textContent ?? '');
    button.textContent = 'Copied';
    setTimeout(() => {
      button.textContent = 'Copy';
    }, 1800);
  });
  block.append(button);
}

function foldWhereNarrow(): void {
  const fold = document.querySelector<HTMLDetailsElement>('.side-fold');
  if (fold && matchMedia('(max-width: 899px)').matches) fold.open = false;
}

function startSearch(): void {
  const box = document.querySelector<HTMLElement>('.search');
  const input = box?.querySelector('input');
  const found = box?.querySelector<HTMLElement>('.found');
  if (!box || !input || !found) return;
  box.hidden = false;
  let entries: Promise<readonly Entry[]> | undefined;
  const search = async () => {
    const words = input.value.toLowerCase().split(/\s+/).filter(Boolean);
    entries ??= fetch('/docs/search.json').then((response) => response.json());
    const list = words.length === 0 ? [] : best(await entries, words);
    found.replaceChildren(...(list.length > 0 ? list.map(link) : [nothing()]));
    found.hidden = words.length === 0;
  };
  input.addEventListener('focus', search);
  input.addEventListener('input', search);
  box.addEventListener('keydown', (event) => steer(event, box, input, found));
  box.addEventListener('focusout', ({ relatedTarget }) => {
    if (!(relatedTarget instanceof Node && box.contains(relatedTarget))) found.hidden = true;
  });
  addEventListener('keydown', (event) => {
    const typing = event.target instanceof HTMLElement && event.target.matches('input, textarea, select');
    if (event.key !== '/' || typing) return;
    event.preventDefault();
    input.focus();
  });
}

/** Titles before texts; every word must be there. */
function best(entries: readonly Entry[], words: readonly string[]): readonly Entry[] {
  const score = ({ title, page, text }: Entry) => {
    const head = `${title} ${page}`.toLowerCase();
    const all = `${head} ${text.toLowerCase()}`;
    if (!words.every((word) => all.includes(word))) return 0;
    return words.reduce((sum, word) => sum + (title.toLowerCase().includes(word) ? 5 : head.includes(word) ? 2 : 1), 0);
  };
  const scored = entries.map((entry) => ({ entry, score: score(entry) })).filter(({ score: points }) => points > 0);
  return scored
    .sort((one, other) => other.score - one.score)
    .slice(0, MOST)
    .map(({ entry }) => entry);
}

function link({ title, page, address }: Entry): HTMLElement {
  const element = document.createElement('a');
  element.href = address;
  const place = document.createElement('span');
  place.textContent = page === title ? '' : page;
  element.append(title, place);
  return element;
}

function nothing(): HTMLElement {
  const text = document.createElement('p');
  text.textContent = 'Nothing found.';
  return text;
}

function steer(event: KeyboardEvent, box: HTMLElement, input: HTMLInputElement, found: HTMLElement): void {
  const links = [...found.querySelectorAll('a')];
  const at = links.indexOf(document.activeElement as HTMLAnchorElement);
  if (event.key === 'Escape') {
    found.hidden = true;
    input.focus();
  } else if (event.key === 'ArrowDown') links[Math.min(at + 1, links.length - 1)]?.focus();
  else if (event.key === 'ArrowUp') (at <= 0 ? input : links[at - 1])?.focus();
  else if (event.key === 'Enter' && box.contains(input) && document.activeElement === input) links[0]?.click();
  else return;
  event.preventDefault();
}
