import { escapeHtml } from './guide.ts';

/** A link of the navigation. */
export interface NavLink {
  readonly address: string;
  readonly text: string;
  /** Places on its page. */
  readonly places?: readonly { readonly id: string; readonly text: string }[];
}

export interface NavGroup {
  readonly title: string;
  readonly links: readonly NavLink[];
}

interface Page {
  readonly address: string;
  readonly title: string;
  readonly body: string;
  readonly wide?: boolean;
}

/** A whole page: readable without the script, which adds search and copying. */
export function pageHtml({ address, title, body, wide = false }: Page, groups: readonly NavGroup[]): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escapeHtml(title)} · Plume docs</title>
<link rel="icon" href="/console/plume.svg" type="image/svg+xml">
<link rel="stylesheet" href="/docs/docs.css">
<script type="module" src="/docs/docs.js"></script>
</head>
<body>
<a class="skip" href="#content">Skip to the content</a>
<header class="top">
<a class="brand" href="/docs/"><img src="/console/plume.svg" alt="" width="22" height="22">Plume <span>Docs</span></a>
<div class="search" hidden><label><span class="unseen">Search the documentation</span><input type="search" placeholder="Search" autocomplete="off"></label><div class="found" hidden></div></div>
<a class="console" href="/console/">Console</a>
</header>
<div class="columns">
<nav class="side" aria-label="Documentation">
<details class="side-fold" open><summary>Contents</summary>
${groups.map((group) => groupHtml(group, address)).join('\n')}
</details>
</nav>
<main id="content" class="${wide ? 'wide' : ''}" tabindex="-1">
${body}
</main>
</div>
</body>
</html>
`;
}

function groupHtml({ title, links }: NavGroup, here: string): string {
  return `<h2>${escapeHtml(title)}</h2><ul>${links.map((link) => linkHtml(link, here)).join('')}</ul>`;
}

function linkHtml({ address, text, places = [] }: NavLink, here: string): string {
  const current = address === here;
  const inner =
    current && places.length > 0
      ? `<ul>${places.map((place) => `<li><a href="#${place.id}">${escapeHtml(place.text)}</a></li>`).join('')}</ul>`
      : '';
  return `<li><a href="${address}"${current ? ' aria-current="page"' : ''}>${escapeHtml(text)}</a>${inner}</li>`;
}
