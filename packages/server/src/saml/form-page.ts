/** A page that takes a message to an identity provider. Never that it runs any script but its own one. */
import { createHash } from 'node:crypto';
import { escapeHtml } from '../errors/html-page.ts';
import type { Form } from './login-exchange.ts';

const submit = 'document.forms[0].submit()';

/** For the content security policy. */
export const formScript = `'sha256-${createHash('sha256').update(submit).digest('base64')}'`;

export function formPage({ location, fields }: Form): string {
  const inputs = fields.map(
    ([name, value]) => `<input type="hidden" name="${escapeHtml(name)}" value="${escapeHtml(value)}">`,
  );
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Logging in</title>
<form method="post" action="${escapeHtml(location)}">
${inputs.join('\n')}
<noscript><button>Continue to the login</button></noscript>
</form>
<script>${submit}</script>
</html>
`;
}
