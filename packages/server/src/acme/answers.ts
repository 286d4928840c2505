/**
 * Checks the certificate authority's objects before they are used.
 * Invariant: a value is used only if it has the form that RFC 8555 requires.
 */
import type { Authorization, Order } from 'acme-client';
import { baseOf, type Hostname, type HostPattern } from '../core/names/hostname.ts';
import { AcmeFailure } from './acme-failure.ts';

/** Proofs of an order at most, far more than authorities request. */
const mostProofs = 100;
/** Tokens of RFC 8555, section 8.1. They appear in a path and in its response. */
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

/** Returns the name of the order that the authorization is for. Throws AcmeFailure. */
export function nameOf({ identifier }: Authorization, names: readonly HostPattern[]): Hostname {
  const said: unknown = identifier;
  const value = isRecord(said) ? said.value : undefined;
  const hostname = names.map(baseOf).find((name) => name === value);
  if (hostname === undefined)
    throw new AcmeFailure('the certificate authority wants another name to be proven');
  return hostname;
}

/** Returns the challenges that have a known type. Throws AcmeFailure. */
export function challengesOf({ challenges }: Authorization): Authorization['challenges'] {
  const said: unknown = challenges;
  if (!Array.isArray(said) || !said.every((one) => isRecord(one) && typeof one.type === 'string'))
    throw strange('challenges');
  return challenges;
}

/** Throws AcmeFailure for an invalid token, because a visitor could be shown it as a page of the name. */
export function requireToken(token: unknown): void {
  if (typeof token !== 'string' || !tokens.test(token))
    throw new AcmeFailure('the certificate authority sent an invalid token');
}

function strange(what: string): AcmeFailure {
  const message = `the certificate authority sent something else as ${what} than the protocol defines`;
  return new AcmeFailure(message, { status: 200 });
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}
