/**
 * The answers to the questions of the setup, and the values of the config file that they stand for. Pure.
 * Invariant: values of other options stay.
 */
import type { Values } from '../command/options.ts';

/** The service of the authority that signs for everybody, if no other is named. */
export const PUBLIC_DIRECTORY = 'https://acme-v02.api.letsencrypt.org/directory';
/** An answer that turns something off. */
export const OFF = 'off';
export const NONE = 'none';

/** Listeners of the question about ports, in its order. */
export const LISTENERS = ['listen', 'http-listen', 'ssh-listen', 'dns-listen'] as const;
export type Listener = (typeof LISTENERS)[number];

export interface Answers {
  readonly domain: string;
  /** Null: certificates are of the daemon's own authority. */
  readonly acme: {
    readonly directory: string;
    readonly email: string | null;
    readonly ca: string | null;
  } | null;
  /** Texts of the options; null: off. */
  readonly listeners: Readonly<Record<Listener, string | null>>;
  /** Text of the option. */
  readonly database: string;
  readonly hasService: boolean;
}

/** Facts of the machine that decide defaults. */
export interface Usual {
  /** Address at which others reach this machine. */
  readonly address: string;
  readonly hasService: boolean;
  /** False for a file that is there: it has no listener without its key. */
  readonly isFirst: boolean;
}

/** Returns the answers by default. `values`: those of the file, and the flags above them. */
export function usualAnswers(values: Values, { address, hasService, isFirst }: Usual): Answers {
  const one = (flag: string): string | null => values.get(flag)?.[0] ?? null;
  const email = one('acme-email');
  const hasAcme = email !== NONE && (email !== null || one('acme-directory') !== null);
  // A hook publishes the texts elsewhere.
  const needsZone = hasAcme && one('dns-hook') === null;
  const listener = (flag: Listener, usual: string): string | null => {
    const given = one(flag) ?? (isFirst ? usual : OFF);
    return given === OFF ? null : given;
  };
  return {
    domain: one('domain') ?? 'underpass.localhost',
    acme: hasAcme
      ? { directory: one('acme-directory') ?? PUBLIC_DIRECTORY, email, ca: one('acme-ca') }
      : null,
    listeners: {
      listen: one('listen') ?? ':443',
      'http-listen': listener('http-listen', ':80'),
      'ssh-listen': listener('ssh-listen', ':2222'),
      'dns-listen':
        one('dns-listen') === null && needsZone ? dnsAddress(address) : listener('dns-listen', OFF),
    },
    database: one('database') ?? 'sqlite',
    hasService,
  };
}

/** Names an address, because a resolver of the system often has the port at loopback. */
export function dnsAddress(address: string): string {
  return `${address.includes(':') ? `[${address}]` : address}:53`;
}

/** Returns the text of a question's default, such as `443 80 2222 off`. */
export function listenersText(listeners: Answers['listeners']): string {
  return LISTENERS.map((flag) => listeners[flag]?.replace(/^:/, '') ?? OFF).join(' ');
}

/** Reads the answer about ports. What is left out keeps its default. */
export function listenersIn(text: string, usual: Answers['listeners']): Answers['listeners'] {
  const words = text.split(/[\s,]+/).filter((word) => word !== '');
  const read = (flag: Listener): string | null => {
    const word = words[LISTENERS.indexOf(flag)];
    if (word === undefined) return usual[flag];
    if (word === OFF && flag !== 'listen') return null;
    return /^\d+$/.test(word) ? `:${word}` : word;
  };
  return {
    listen: read('listen'),
    'http-listen': read('http-listen'),
    'ssh-listen': read('ssh-listen'),
    'dns-listen': read('dns-listen'),
  };
}

/** Returns the values of the file for these answers; null: without the key. */
export function answeredValues(answers: Answers): ReadonlyMap<string, string | boolean | null> {
  const { domain, acme, listeners, database } = answers;
  return new Map<string, string | boolean | null>([
    ['domain', domain],
    ...LISTENERS.map((flag) => [flag, listeners[flag]] as const),
    ['database', database],
    ['acme-directory', acme?.directory ?? null],
    ['acme-email', acme?.email ?? null],
    ['acme-ca', acme?.ca ?? null],
    ['acme-service-names', acme === null ? null : true],
  ]);
}
