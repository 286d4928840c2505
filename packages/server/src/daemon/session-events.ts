/**
 * Events of agents that come and go (open points, part B 2.3).
 * Invariant: the event of a session's end never precedes that of its start.
 */
import type { EventType } from '../core/event-types.ts';
import type { EventBuffer } from '../events/event-buffer.ts';
import type { SessionFacts } from '../online/session.ts';
import type { ShowContext } from '../resources/definition.ts';
import type { JsonObject } from '../store/store.ts';
import type { SessionObserver } from '../tunnels/live-session.ts';

export interface SessionEventsOptions {
  readonly buffer: Pick<EventBuffer, 'wants' | 'add'>;
  readonly ref: ShowContext['ref'];
  /** Name that agents connect to. */
  readonly hostname: string;
  /** Notes the use of a credential. */
  readonly used: (account: string, credential: string, ip: string) => void;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
}

/** The end of a session, as far as it is known; null while the session lasts. */
interface End {
  readonly time: number;
  readonly reason: string;
}

/** Bytes of a session in memory, beside its texts. */
const SESSION_BYTES = 800;

export class SessionEvents implements SessionObserver {
  readonly #options: SessionEventsOptions;

  constructor(options: SessionEventsOptions) {
    this.#options = options;
  }

  started(session: SessionFacts): void {
    this.#options.used(session.account, session.credential, session.ip);
    this.#tell('agent_session_start.v0', session, null);
  }

  stopped(session: SessionFacts, reason: string): void {
    this.#tell('agent_session_stop.v0', session, { time: this.#options.now(), reason });
  }

  #tell(type: EventType, session: SessionFacts, end: End | null): void {
    const { buffer, now } = this.#options;
    const { account, id: resource, metadata } = session;
    if (!buffer.wants(account, type)) return;
    const told = this.#objectOf(session, end);
    const bytes = SESSION_BYTES + metadata.length;
    buffer.add({ account, type, resource, time: end?.time ?? now(), bytes, object: () => told });
  }

  /** Sessions last as long as they are wanted, and no version of agents is deprecated. */
  #objectOf(session: SessionFacts, end: End | null): JsonObject {
    const { ref, hostname } = this.#options;
    return {
      session: ref(session.id),
      credential: ref(session.credential),
      agent_ip: session.ip,
      ingress_server_ip: session.serverIp,
      region: session.region,
      ingress_hostname: hostname,
      agent_version: session.agentVersion,
      user_agent: session.userAgent,
      metadata: session.metadata,
      os: session.os,
      arch: session.arch,
      transport: session.transport,
      started_at: new Date(session.startedAt).toISOString(),
      expires_at: null,
      stopped_at: end === null ? null : new Date(end.time).toISOString(),
      deprecated: null,
      error: end?.reason ?? '',
    };
  }
}
