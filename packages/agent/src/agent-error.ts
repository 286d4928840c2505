/** What the agent fails with. Never that a program has to read a message to tell failures apart. */

export abstract class AgentError extends Error {
  /** The service's (`ERR_SERVICE_107`), the TLS stack's, or one of the agent's own (`ERR_AGENT_…`); undefined: the service gave none. */
  abstract readonly code: string | undefined;
  /** What to do about it; '' where the message says so itself. */
  abstract readonly remedy: string;
}

/** Something was closed while it was waited for, or is used after that. */
export class AgentClosed extends AgentError {
  override readonly name = 'AgentClosed';
  readonly code = 'ERR_AGENT_CLOSED';
  readonly remedy = 'Connect anew.';
}
