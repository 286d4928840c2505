/** The parts of Access: each has its own address below `/ui/access`. */
import type { ComponentChildren } from 'preact';
import { href, path } from '../router.ts';

const PARTS: readonly (readonly [path: string, title: string])[] = [
  ['access', 'Credentials'],
  ['access/ssh-credentials', 'SSH credentials'],
  ['access/api-keys', 'API keys'],
  ['access/users', 'Users'],
  ['access/bot-users', 'Bot users'],
  ['access/ip-policies', 'IP policies'],
  ['access/logins', "Visitors' logins"],
  ['access/sessions', 'Sessions'],
];

/** Links to all parts. A page below a part marks it, too. */
export function Parts() {
  const current = PARTS.findLast(([part]) => `${path.value}/`.startsWith(`${part}/`))?.[0];
  return (
    <nav class="parts" aria-label="Parts of Access">
      {PARTS.map(([part, title]) => (
        <a key={part} href={href(part.split('/'))} aria-current={part === current ? 'page' : undefined}>
          {title}
        </a>
      ))}
    </nav>
  );
}

interface HeadParts {
  readonly title: string;
  /** Buttons at the end of the line. */
  readonly children?: ComponentChildren;
}

export function Head({ title, children }: HeadParts) {
  return (
    <>
      <Parts />
      <header class="page-head">
        <h1>{title}</h1>
        <div class="actions">{children}</div>
      </header>
    </>
  );
}
