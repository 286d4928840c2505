/**
 * The responses of logins that are no errors.
 * Invariant: no cache stores them.
 */
import { loggedOutPage } from '../../../login/logged-out-page.ts';
import type { Fields, Reply } from '../../sites/site.ts';

export function redirect(location: string, fields: Fields = []): Reply {
  return reply(302, [['location', location], ...fields], '');
}

const page = loggedOutPage('<p><a href="/">Log in again</a></p>');

export function loggedOut(fields: Fields): Reply {
  return reply(200, [['content-type', 'text/html; charset=utf-8'], ...fields], page);
}

function reply(status: number, fields: Fields, text: string): Reply {
  const common: Fields = [
    ['cache-control', 'no-store'],
    ['content-security-policy', "default-src 'none'; style-src 'unsafe-inline'"],
    ['referrer-policy', 'no-referrer'],
  ];
  return { kind: 'reply', status, headers: [...fields, ...common], body: Buffer.from(text) };
}
