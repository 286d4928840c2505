/** What an authority says of an order, before it is acted on. Never that something is taken for what RFC 8555 means because it has its name. */
import type { Authorization, Order } from 'acme-client';
import { baseOf, type Hostname, type HostPattern } from '../core/hostname.ts';
import { AcmeFailure } from './acme-failure.ts';

/** Far more than authorities ask for. */
const mostProofs = 100;
/** RFC 8555, section 8.1: it stands in a path, and in front of what is answered there. */
const tokens = /^[\w-]{1,1024}$/;

/** Throws AcmeFailure. */
export function readOrder(order: Order): Order {
  const said: unknown = order;
  if (!isRecord(said)) throw strange('an order');
  const { status, finalize, authorizations = [] } = said;
  if (typeof status !== 'string' || typeof finalize !== 'string') throw strange('an order');
  if (!Array.isArray(authorizations)) throw strange('an order');
  if (authorizations.length > mostProofs)
    throw new AcmeFailure(`the certificate authority wants ${authorizations.length} proofs for one order`, {
      status: 200,
    });
  return order;
}

/** Which of the names it is for. Throws AcmeFailure. */
export function nameOf({ identifier }: Authorization, names: readonly HostPattern[]): Hostname {
  const said: unknown = identifier;
  const value = isRecord(said) ? said.value : undefined;
  const hostname = names.map(baseOf).find((name) => name === value);
  if (hostname === undefined)
    throw new AcmeFailure('the certificate authority wants another name to be proven');
  return hostname;
}

/** Those that can be told apart. Throws AcmeFailure. */
export function challengesOf({ challenges }: Authorization): Authorization['challenges'] {
  const said: unknown = challenges;
  if (!Array.isArray(said) || !said.every((one) => isRecord(one) && typeof one.type === 'string'))
    throw strange('what can be proven');
  return challenges;
}

/** Throws AcmeFailure: other ones could be a page that a visitor is shown under the name. */
export function requireToken(token: unknown): void {
  if (typeof token !== 'string' || !tokens.test(token))
    throw new AcmeFailure('the certificate authority wants a token to be shown that is none');
}

function strange(what: string): AcmeFailure {
  const message = `the certificate authority says something else of ${what} than the protocol knows`;
  return new AcmeFailure(message, { status: 200 });
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}
