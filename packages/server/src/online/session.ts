/** A session of an agent: its facts, which are plain data, and the handle of the daemon that has the connection. */

/** Requests to an agent about itself (agent protocol, sections 3 and 4). */
export const sessionRequests = ['restart', 'stop', 'update'] as const;
export type SessionRequest = (typeof sessionRequests)[number];

/** Invariant: JSON and structured clones keep all of it, and it contains no secret. */
export interface SessionFacts {
  /** `ts_…` */
  readonly id: string;
  readonly account: string;
  /** `cr_…` */
  readonly credential: string;
  /** The id that the agent keeps over its reconnects, and uses in all its connections. */
  readonly clientId: string;
  /** Number of the connection among those of its agent. */
  readonly leg: number;
  readonly agentVersion: string;
  /** User agent of the agent; '' if it sends none, and for SSH clients. */
  readonly userAgent: string;
  readonly ip: string;
  /** IP address that the agent connected to. */
  readonly serverIp: string;
  readonly metadata: string;
  readonly os: string;
  /** Architecture of its processor; '' for SSH clients. */
  readonly arch: string;
  readonly region: string;
  /** Name of the daemon that the agent is connected to; '' if it has none. */
  readonly node: string;
  /** Milliseconds since 1970. */
  readonly startedAt: number;
  readonly transport: string;
}

export interface SessionHandle {
  readonly facts: SessionFacts;
  /** Resolves when the agent has answered that it will. Raises Problem: it cannot, it will not, it did not answer, it is gone. */
  ask(request: SessionRequest): Promise<void>;
}
