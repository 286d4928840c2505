/** The answers of logins that are no errors. Never that one of them is kept by a cache. */
import type { Fields, Reply } from '../../sites/site.ts';

export function redirect(location: string, fields: Fields = []): Reply {
  return reply(302, [['location', location], ...fields], '');
}

export function loggedOut(fields: Fields): Reply {
  return reply(200, [['content-type', 'text/html; charset=utf-8'], ...fields], loggedOutPage);
}

const loggedOutPage = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Logged out</title>
<style>
:root { color-scheme: light dark }
body { font: 16px/1.5 system-ui, sans-serif; max-width: 36rem; margin: 15vh auto; padding: 0 1.5rem }
h1 { font-size: 1.5rem; margin: 0 0 .5rem }
</style>
<h1>You are logged out.</h1>
<p><a href="/">Log in again</a></p>
</html>
`;

function reply(status: number, fields: Fields, text: string): Reply {
  const common: Fields = [
    ['cache-control', 'no-store'],
    ['content-security-policy', "default-src 'none'; style-src 'unsafe-inline'"],
    ['referrer-policy', 'no-referrer'],
  ];
  return { kind: 'reply', status, headers: [...fields, ...common], body: Buffer.from(text) };
}
