/**
 * Decides by which authority a login trusts its server.
 * Invariant: an authority is trusted only by its file, its fingerprint, a confirmation on a terminal, or an earlier login.
 */
import { X509Certificate } from 'node:crypto';
import { fingerprintOf } from '@underpass/client/fingerprint';
import { pinnedAuthority, subjectOf, topAuthority } from '@underpass/client/pinned-authority';
import { readShownChain, type ShownChain } from '@underpass/client/shown-chain';
import type { Prompt } from '@underpass/wire/prompt';
import { type HostPort, parseServer } from '../address.ts';
import { readCa } from '../certificate-files.ts';
import { commandAt } from '../command-line.ts';
import type { Login } from '../config-file.ts';
import { printableLine } from '../printable.ts';
import type { Authority } from '../settings.ts';
import { readFingerprint } from '../trust.ts';

const TIMEOUT_MS = 15_000;
/** The value of `--ca` for the authorities that this machine trusts. */
export const NONE = 'none';

/** The authority of a login. */
export interface ChosenAuthority {
  /** PEM; undefined: those that this machine trusts. */
  readonly ca: string | undefined;
  /** Path of the user's file; undefined without one. */
  readonly file: string | undefined;
  /** The PEM came from the server: it is stored. */
  readonly isOfServer: boolean;
}

export interface AuthorityQuestion {
  /** `host:port` or `host`. */
  readonly server: string;
  /** The authority in flags and variables. */
  readonly given: Authority | null;
  /** The earlier login at this server. */
  readonly known: Login | null;
  /** Path of the authority that an earlier login stored; null if there is none. */
  readonly pinned: string | null;
  /** Null without a terminal. */
  readonly prompt: Prompt | null;
}

/** A server whose authority is unknown, or another one than before. Nothing may be stored. */
export class UntrustedAuthority extends Error {
  override readonly name = 'UntrustedAuthority';
  readonly code: 'ERR_CA_UNKNOWN' | 'ERR_CA_CHANGED';
  readonly advice: string;

  constructor(code: UntrustedAuthority['code'], message: string, advice: string) {
    super(message);
    this.code = code;
    this.advice = advice;
  }
}

/**
 * Rejects with UntrustedAuthority, with PinError, with Cancelled, or with the error of the connection. Throws
 * InvalidInput.
 */
export async function chooseAuthority(question: AuthorityQuestion): Promise<ChosenAuthority> {
  const { server, given } = question;
  if (given?.ca === NONE) return OF_MACHINE;
  if (given?.ca !== undefined) return ofFile(given.ca);
  const place = parseServer(server);
  if (given !== null) {
    const fingerprint = readFingerprint(given.caFingerprint);
    return ofServer(await pinnedAuthority(fingerprint, place, { timeoutMs: TIMEOUT_MS }));
  }
  return (await keptAuthority(question, place)) ?? (await confirmedAuthority(question, place));
}

const OF_MACHINE: ChosenAuthority = { ca: undefined, file: undefined, isOfServer: false };

function ofFile(file: string): ChosenAuthority {
  return { ca: readCa(file), file, isOfServer: false };
}

function ofServer(ca: string): ChosenAuthority {
  return { ca, file: undefined, isOfServer: true };
}

/** The authority of an earlier login at this server; null without one. */
async function keptAuthority(question: AuthorityQuestion, place: HostPort): Promise<ChosenAuthority | null> {
  const { known, pinned } = question;
  if (known === null && pinned === null) return null;
  if (known?.caFingerprint !== undefined) {
    const fingerprint = readFingerprint(known.caFingerprint);
    const chain = await readShownChain(place, { timeoutMs: TIMEOUT_MS });
    const found = chain.certificates.find((one) => one.ca && fingerprintOf(one) === fingerprint);
    if (found === undefined) throw changed(question, fingerprint, chain);
    return ofServer(found.toString());
  }
  const path = known === null ? pinned : (known.ca ?? null);
  const kept = path === null ? OF_MACHINE : path === pinned ? ofServer(readCa(path)) : ofFile(path);
  const chain = await readShownChain(place, { timeoutMs: TIMEOUT_MS, ca: kept.ca });
  if (!isUnknownIssuer(chain.fault)) return kept;
  const before =
    kept.ca === undefined ? "one of this machine's" : fingerprintOf(new X509Certificate(kept.ca));
  throw changed(question, before, chain);
}

/** The authority of a server that is new here: this machine's own, or the server's after a confirmation. */
async function confirmedAuthority(question: AuthorityQuestion, place: HostPort): Promise<ChosenAuthority> {
  const { server, prompt } = question;
  const chain = await readShownChain(place, { timeoutMs: TIMEOUT_MS });
  if (!isUnknownIssuer(chain.fault)) return OF_MACHINE;
  const top = topAuthority(chain.certificates);
  if (top === null)
    throw unknown(`The server ${server} sends no authority, and its own is unknown here.`, NEEDS_FILE);
  const fingerprint = fingerprintOf(top);
  const subject = printableLine(subjectOf(top));
  if (prompt === null)
    throw unknown(
      `The authority of ${server} is unknown on this machine: ${fingerprint} (${subject}).`,
      `${COMPARE} If they are the same, give it: ${commandAt('login', { server, caFingerprint: fingerprint })}.`,
    );
  prompt.say(
    `The authority of ${server} is unknown on this machine:\n  ${subject}\n  ${fingerprint}\n${COMPARE}`,
  );
  const answer = await prompt.ask('Are they the same? [yes/NO] ');
  if (/^y(es)?$/i.test(answer) || answer.toLowerCase() === fingerprint) return ofServer(top.toString());
  throw unknown(
    `The authority of ${server} was not confirmed.`,
    'Get its fingerprint from the operator of the server.',
  );
}

const COMPARE = 'Compare the fingerprint with the one that "underpassd ca fingerprint" prints on the server.';
const NEEDS_FILE = 'Give the file of the authority with --ca FILE.';

function unknown(message: string, advice: string): UntrustedAuthority {
  return new UntrustedAuthority('ERR_CA_UNKNOWN', message, advice);
}

/** `before`: the fingerprint of the earlier authority, or a name for it. */
function changed(
  { server }: AuthorityQuestion,
  before: string,
  { certificates }: ShownChain,
): UntrustedAuthority {
  const top = topAuthority(certificates);
  const fingerprint = top === null ? undefined : fingerprintOf(top);
  const now =
    top === null
      ? 'the server sends none'
      : `the server sends ${fingerprint} (${printableLine(subjectOf(top))})`;
  const remedy =
    fingerprint === undefined
      ? NEEDS_FILE
      : `${COMPARE} If they are the same, give it: ${commandAt('login', { server, caFingerprint: fingerprint })}.`;
  return new UntrustedAuthority(
    'ERR_CA_CHANGED',
    `The authority of ${server} has changed. At the last login it was ${before}, and now ${now}.`,
    `An attacker may be intercepting the connection, or the server was set up anew. ${remedy} ` +
      `If its certificate is now of an authority that this machine trusts, give --ca ${NONE}.`,
  );
}

/** Codes for a chain that does not lead to a trusted authority. Other faults are reported when the service is tried. */
const UNKNOWN_ISSUER =
  /^(?:SELF_SIGNED_CERT_IN_CHAIN|DEPTH_ZERO_SELF_SIGNED_CERT|UNABLE_TO_|CERT_SIGNATURE_FAILURE|CERT_UNTRUSTED)/;

function isUnknownIssuer(fault: string | null): boolean {
  return fault !== null && UNKNOWN_ISSUER.test(fault);
}
