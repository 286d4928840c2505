/**
 * Errors of the agent.
 * Invariant: programs can distinguish failures without their messages.
 */

export abstract class AgentError extends Error {
  /** The service's (`ERR_SERVICE_107`), the TLS stack's, or one of the agent's own (`ERR_AGENT_…`); undefined: the service gave none. */
  abstract readonly code: string | undefined;
  /** Remedy; '' if the message contains it. */
  abstract readonly remedy: string;
}

/** Something was closed while it was waited for, or is used after that. */
export class AgentClosed extends AgentError {
  override readonly name = 'AgentClosed';
  readonly code = 'ERR_AGENT_CLOSED';
  readonly remedy = 'Connect anew.';
}
