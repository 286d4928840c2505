/** Refusals: what the service, or this agent of the service, does not accept. */
import { AgentError } from './agent-error.ts';

/** The refused thing: the session (auth), a tunnel (bind), or the server itself by this agent (certificate). */
export type RefusedStage = 'auth' | 'bind' | 'certificate';

/** Remedies for messages that have none. */
export const REMEDIES: Readonly<Record<RefusedStage, string>> = {
  auth: 'Check the authtoken: it is the token of a tunnel credential, which the API shows once.',
  bind: 'Check what the tunnel claims (domain, address, labels), and what the credential may bind.',
  certificate:
    'Give the authority that signed it as `ca` (the daemon keeps its own in its data directory: ca.pem), or its ' +
    'fingerprint as `caFingerprint` ("underpassd ca fingerprint" prints it), ' +
    'and check that `server` names the host of the certificate.',
};

/** Malformed, of an old kind, invalid, revoked. */
const BAD_TOKEN = /_(?:105|106|107|300)$/;

/**
 * A refusal that trying again does not change. The message is the server's own without its remedy, or the reason of the TLS stack.
 * Invariant: a refusal has exactly one remedy.
 */
export class Refused extends AgentError {
  override readonly name = 'Refused';
  readonly stage: RefusedStage;
  /** The error's code as the server wrote it, such as `ERR_SERVICE_107`; for certificates the TLS stack's code. */
  readonly code: string | undefined;
  readonly remedy: string;

  constructor(stage: RefusedStage, message: string, code?: string) {
    const { problem, remedy } = stage === 'certificate' ? { problem: message, remedy: '' } : inParts(message);
    super(problem);
    this.stage = stage;
    this.code = code;
    const isBadToken = stage === 'auth' && BAD_TOKEN.test(code ?? '');
    this.remedy = remedy === '' || isBadToken ? REMEDIES[stage] : remedy;
  }
}

/** A service's text: what is wrong, then what to do, then the code on a line of its own. */
const SERVICE_TEXT = /^(?<text>[\s\S]*?)(?<code>\s*\bERR_(?:[A-Za-z0-9]+_)*\d+\s*)?$/;

/** Takes the remedy out of a service's message. The first sentence, and the code, are what is wrong. */
export function inParts(message: string): { readonly problem: string; readonly remedy: string } {
  const { text, code = '' } = SERVICE_TEXT.exec(message)?.groups ?? {};
  const end = text === undefined ? -1 : endOfSentence(text);
  if (text === undefined || end === -1) return { problem: message, remedy: '' };
  return { problem: `${text.slice(0, end)}${code.trimEnd()}`, remedy: text.slice(end).trim() };
}

/** Returns the index after the full stop of the first sentence; -1 if there is only one. Skips text in double quotes. */
function endOfSentence(text: string): number {
  const [passed = ''] = /^(?:"[^"]*"|[^".!?]|[.!?](?! [A-Z"]))*[.!?](?= [A-Z"])/.exec(text) ?? [];
  return passed === '' ? -1 : passed.length;
}

/** The `ERR_…_<number>` in an error text of the service (agent protocol, section 3), or undefined. */
export function codeIn(message: string): string | undefined {
  return /\bERR_(?:[A-Za-z0-9]+_)*\d+\b/.exec(message)?.[0];
}

/** Session and rate limits, an internal error, an unavailable store, a service that stops or that waited in vain. */
const PASSING = new Set([
  108, 348, 349, 351, 353, 10000, 60011, 60317, 60318, 60319, 60323, 60324, 60325, 60326, 60851, 60855, 60856,
  60870,
]);

/** True for an error text that a later attempt may not meet. */
export function isPassing(message: string): boolean {
  const number = codeIn(message)?.match(/\d+$/)?.[0];
  return number !== undefined && PASSING.has(Number(number));
}
