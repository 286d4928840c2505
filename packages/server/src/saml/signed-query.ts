/**
 * Reads a message in the query of a redirect, whose signature is over the query as it was sent (saml-bindings-2.0-os, section 3.4.4.1).
 * Invariant: a part that was not signed is never read.
 */
import type { Element } from '@xmldom/xmldom';
import { LoginFault } from '../login/login-fault.ts';
import { base64Bytes } from '../pki/xml-types.ts';
import { fromRedirect } from './message.ts';
import { refused } from './refused.ts';
import { keyThatSigned, methodCalled, type VerificationKey } from './signed.ts';

const signedParts = ['SAMLRequest', 'RelayState', 'SigAlg'];

/** The request in it. `query`: as it came. Throws LoginFault. */
export function requestInQuery(query: string, keys: readonly VerificationKey[]): Element {
  const pairs = query.split('&').map((pair): [string, string] => {
    const at = pair.indexOf('=');
    return at === -1 ? [pair, ''] : [pair.slice(0, at), pair.slice(at + 1)];
  });
  const raw = new Map(pairs);
  // A parameter with two spellings could be verified in one and read in the other.
  if (raw.size < pairs.length || pairs.some(([name]) => /[%+]/.test(name)))
    throw refused('query', 'a part of the query is there twice, or its name is encoded');
  const parts = new URLSearchParams(query);
  const value = parts.get('Signature');
  if (value === null) throw refused('unsigned', 'the query has no signature');
  const uri = parts.get('SigAlg') ?? '';
  const method = methodCalled(uri);
  const bytes = base64Bytes(value);
  if (bytes === null) throw refused('encoding', 'the signature is not base64');
  // Some providers send an empty RelayState, which the standard leaves out, and do not sign it.
  if (
    raw.get('RelayState') === '' &&
    isSigned(() => keyThatSigned(signedText(raw, true), bytes, method, keys))
  )
    return fromRedirect(parts.get('SAMLRequest') ?? '');
  keyThatSigned(signedText(raw, false), bytes, method, keys);
  return fromRedirect(parts.get('SAMLRequest') ?? '');
}

/** The parts in the order of the standard, as they were sent. */
function signedText(raw: ReadonlyMap<string, string>, leavesOutEmpty: boolean): Buffer {
  const named = signedParts.filter((name) => raw.has(name) && !(leavesOutEmpty && raw.get(name) === ''));
  return Buffer.from(named.map((name) => `${name}=${raw.get(name)}`).join('&'));
}

function isSigned(verify: () => unknown): boolean {
  try {
    verify();
    return true;
  } catch (error) {
    if (error instanceof LoginFault) return false;
    throw error;
  }
}
