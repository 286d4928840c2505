/**
 * An error page for browsers.
 * Invariant: every value in it is escaped.
 */

const ENTITIES = new Map([
  ['&', '&amp;'],
  ['<', '&lt;'],
  ['>', '&gt;'],
  ['"', '&quot;'],
  ["'", '&#39;'],
]);

export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ENTITIES.get(character)!);
}

export interface HtmlPage {
  readonly status: number;
  /** Title of the status. */
  readonly title: string;
  readonly message: string;
  readonly code: string;
}

export function htmlPage({ status, title, message, code }: HtmlPage): string {
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${status} ${title}</title>
<style>
:root { color-scheme: light dark }
body { font: 16px/1.5 system-ui, sans-serif; max-width: 36rem; margin: 15vh auto; padding: 0 1.5rem }
h1 { font-size: 1.5rem; margin: 0 0 .5rem }
code { opacity: .65; font-size: .875rem }
</style>
<h1>${status} ${escapeHtml(title)}</h1>
<p>${escapeHtml(message)}</p>
<code>${escapeHtml(code)}</code>
</html>
`;
}
