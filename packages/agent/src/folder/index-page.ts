/**
 * The page that lists a folder.
 * Invariant: a name never becomes markup, and no script runs.
 */
import { createHash } from 'node:crypto';
import type { Entry, Listing } from './listing.ts';

const STYLE = `
:root { color-scheme: light dark; }
body { font: 16px/1.5 system-ui, sans-serif; margin: 2rem auto; max-width: 60rem; padding: 0 1rem; }
h1 { font-size: 1.25rem; overflow-wrap: anywhere; }
table { border-collapse: collapse; width: 100%; }
td { border-top: 1px solid color-mix(in srgb, currentcolor 15%, transparent); padding: .35rem .5rem; }
td:first-child { overflow-wrap: anywhere; width: 100%; }
td + td { color: color-mix(in srgb, currentcolor 65%, transparent); font-variant-numeric: tabular-nums;
  text-align: right; white-space: nowrap; }
a { text-decoration: none; }
a:hover, a:focus { text-decoration: underline; }
@media (max-width: 32rem) { td:last-child { display: none; } }
`;

/** Nothing but the style below may do anything. */
export const PAGE_POLICY = `default-src 'none'; style-src 'sha256-${createHash('sha256').update(STYLE).digest('base64')}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`;

/** `parts`: the decoded path of the folder, with '' at its end. */
export function indexPage(parts: readonly string[], { entries, isCut }: Listing): string {
  const title = escaped(`/${parts.join('/')}`);
  const up = parts.length > 1 ? ['<tr><td><a href="../">../</a></td><td></td><td></td></tr>'] : [];
  const rest = isCut
    ? [`<p>There is more here than these ${entries.length}: request it by its name.</p>`]
    : [];
  const none = entries.length === 0 ? ['<p>Nothing is here.</p>'] : [];
  return [
    '<!doctype html>',
    '<html lang="en"><head><meta charset="utf-8">',
    '<meta name="viewport" content="width=device-width">',
    `<title>${title}</title><style>${STYLE}</style></head>`,
    `<body><h1>${title}</h1>`,
    `<table>${[...up, ...entries.map(row)].join('\n')}</table>`,
    ...none,
    ...rest,
    '</body></html>\n',
  ].join('\n');
}

function row({ name, size, modified }: Entry): string {
  const end = size === null ? '/' : '';
  // A name such as "javascript:" is none of a scheme behind "./".
  const link = `<a href="./${encodeURIComponent(name)}${end}"><bdi>${escaped(name)}</bdi>${end}</a>`;
  const time = new Date(modified).toISOString().slice(0, 16).replace('T', ' ');
  return `<tr><td>${link}</td><td>${size === null ? '' : sizeText(size)}</td><td>${time}</td></tr>`;
}

const UNITS = ['B', 'kB', 'MB', 'GB', 'TB', 'PB'] as const;

function sizeText(bytes: number): string {
  let size = bytes;
  let unit = 0;
  while (size >= 999.5 && unit < UNITS.length - 1) {
    size /= 1_000;
    unit++;
  }
  return `${unit === 0 || size >= 99.5 ? size.toFixed(0) : size.toFixed(1)} ${UNITS[unit]}`;
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Control characters have no place in a page. */
function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (it) => ENTITIES[it] ?? '').replace(/\p{Cc}/gu, '\ufffd');
}
