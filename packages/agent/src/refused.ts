/** What was refused: the session (auth), a tunnel (bind), or the server itself by this agent (certificate). */
export type RefusedStage = 'auth' | 'bind' | 'certificate';

/** A refusal that trying again does not change. The message is the server's own, or the reason of the TLS stack. */
export class Refused extends Error {
  override readonly name = 'Refused';
  readonly stage: RefusedStage;
  /** The error's code as the server wrote it, such as `ERR_SERVICE_107`; for certificates the TLS stack's code. */
  readonly code: string | undefined;

  constructor(stage: RefusedStage, message: string, code?: string) {
    super(message);
    this.stage = stage;
    this.code = code;
  }
}

/** The `ERR_…_<number>` in an error text of the service (agent protocol, section 3), or undefined. */
export function codeIn(message: string): string | undefined {
  return /\bERR_(?:[A-Za-z0-9]+_)*\d+\b/.exec(message)?.[0];
}

/** Session and rate limits, an internal error, an unavailable store, a service that stops or that waited in vain. */
const PASSING = new Set([
  108, 348, 349, 351, 353, 10000, 60011, 60317, 60318, 60319, 60323, 60324, 60325, 60326,
]);

/** True for an error text that a later attempt may not meet. */
export function isPassing(message: string): boolean {
  const number = codeIn(message)?.match(/\d+$/)?.[0];
  return number !== undefined && PASSING.has(Number(number));
}
