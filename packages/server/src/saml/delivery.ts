/**
 * Sends a browser with a message to an identity provider: by a redirect, or by a page with a form.
 * Invariant: the page runs its own script only.
 */
import { createHash, type KeyObject } from 'node:crypto';
import { escapeHtml } from '../errors/html-page.ts';
import type { Answer } from '../http-server/answer.ts';
import { page, sentTo } from '../login/provider-answers.ts';
import { formFields, type Outgoing, redirectUrl } from './sending.ts';

const submit = 'document.forms[0].submit()';
/** Hash for the content security policy. */
const formScript = `'sha256-${createHash('sha256').update(submit).digest('base64')}'`;

export function delivery(outgoing: Outgoing, key: KeyObject): Answer {
  return outgoing.binding === 'redirect'
    ? sentTo(303, redirectUrl(outgoing, key))
    : page(200, formPage(outgoing, key), formScript);
}

function formPage(outgoing: Outgoing, key: KeyObject): string {
  const inputs = formFields(outgoing, key).map(
    ([name, value]) => `<input type="hidden" name="${escapeHtml(name)}" value="${escapeHtml(value)}">`,
  );
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>One moment</title>
<form method="post" action="${escapeHtml(outgoing.location)}">
${inputs.join('\n')}
<noscript><button>Continue</button></noscript>
</form>
<script>${submit}</script>
</html>
`;
}
