/** The page of a sign-in that failed. It has neither scripts nor styles, so that its policy allows none. */
import type { Answer } from './answer.ts';

export interface ShownFault {
  readonly message: string;
  readonly code: string;
  readonly operationId: string;
}

const POLICY = "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/** `back`: the URL at which the user can begin again. */
export function faultPage({ message, code, operationId }: ShownFault, back: string): Omit<Answer, 'status'> {
  const body = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Not signed in</title>
<h1>You are not signed in.</h1>
<p role="alert">${escaped(message)}</p>
<p><a href="${escaped(back)}">Back to the sign-in</a></p>
<p><small>${escaped(code)}, operation ${escaped(operationId)}</small></p>
</html>
`;
  return {
    headers: [
      ['content-security-policy', POLICY],
      ['x-content-type-options', 'nosniff'],
      ['referrer-policy', 'no-referrer'],
      ['cross-origin-opener-policy', 'same-origin'],
    ],
    contentType: 'text/html; charset=utf-8',
    body,
  };
}

function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
