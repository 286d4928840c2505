/** The answers of logins that are no errors. Never that one of them is kept by a cache. */
import type { Fields, Reply } from '../../sites/site.ts';

export function redirect(location: string, fields: Fields = []): Reply {
  return reply(302, [['location', location], ...fields], '');
}

export function loggedOut(fields: Fields): Reply {
  const text = 'You are logged out.';
  const page = `<!doctype html><html lang="en"><meta charset="utf-8"><title>${text}</title><p>${text}</p><p><a href="/">Back</a></p></html>\n`;
  return reply(200, [['content-type', 'text/html; charset=utf-8'], ...fields], page);
}

function reply(status: number, fields: Fields, text: string): Reply {
  const common: Fields = [
    ['cache-control', 'no-store'],
    ['content-security-policy', "default-src 'none'"],
    ['referrer-policy', 'no-referrer'],
  ];
  return { kind: 'reply', status, headers: [...fields, ...common], body: Buffer.from(text) };
}
