/** One tunnel, through all sessions that it lives on. */
import { inspect } from 'node:util';
import type { MuxStream, ProxyHeader } from '@underpass/wire';
import { AgentClosed } from './agent-error.ts';
import type { BackOff } from './back-off.ts';
import type { Binding, ForwardsTo, TunnelRequest } from './binding.ts';
import type { Refused } from './refused.ts';
import type { RefusedVisits } from './refused-visits.ts';

/** The reason why a tunnel ended. */
export type TunnelEnd =
  | { readonly reason: 'closed' }
  /** The service ended it, alone or with its agent. */
  | { readonly reason: 'stopped'; readonly message: string; readonly code: string }
  /** The service would not bind it (again), or not let its agent in again. */
  | { readonly reason: 'refused'; readonly error: Refused };

/** A name that is, or will be again, bound to this agent. */
export interface Tunnel {
  /** The public URL; null for a labelled tunnel. A reconnect brings the same one back. */
  readonly url: string | null;
  /** `tn_…`, as the management API knows it; changes with every session. */
  readonly tunnelId: string;
  readonly labels: Readonly<Record<string, string>> | null;
  /** Message of the service about the latest bind, for people; '' for none. Not printable yet: see `printableMessage`. */
  readonly notice: string;
  /** Resolves, never rejects, after the tunnel has ended for good. */
  readonly ended: Promise<TunnelEnd>;
  /** Unbinds. Requests in progress may finish. The service ends long ones, and all other connections. */
  close(): Promise<void>;
}

export interface TunnelParts {
  readonly request: TunnelRequest;
  readonly to: ForwardsTo;
  readonly connection: (stream: MuxStream, header: ProxyHeader) => void;
  readonly onBound: ((tunnel: Tunnel) => void) | undefined;
  readonly onRefused: ((refused: RefusedVisits) => void) | undefined;
  readonly unbind: (tunnel: KeptTunnel) => Promise<void>;
  /** Back-off of binds that the service postponed, since the last success. */
  readonly backOff: BackOff;
}

/** A tunnel over all sessions of its agent: the request, and the result of the latest bind. */
export class KeptTunnel implements Tunnel {
  readonly parts: TunnelParts;
  readonly ended: Promise<TunnelEnd>;
  /** Resolves at the first bind; rejects with Refused, or when the agent ends before. */
  readonly first: Promise<void>;
  binding: Binding | null = null;
  isOver = false;
  readonly #resolvers: { bound: () => void; failed: (error: Error) => void; end: (end: TunnelEnd) => void };

  constructor(parts: TunnelParts) {
    this.parts = parts;
    const first = Promise.withResolvers<void>();
    const ended = Promise.withResolvers<TunnelEnd>();
    this.first = first.promise;
    this.ended = ended.promise;
    this.#resolvers = { bound: first.resolve, failed: first.reject, end: ended.resolve };
  }

  get url(): string | null {
    return this.binding?.url ?? null;
  }

  get tunnelId(): string {
    return this.binding?.tunnelId ?? '';
  }

  get notice(): string {
    return this.binding?.notice ?? '';
  }

  get labels(): Readonly<Record<string, string>> | null {
    return this.parts.request.labels ?? null;
  }

  /** Hides the proof of the name, which must not be in a log. */
  [inspect.custom](): object {
    const { url, tunnelId, labels } = this;
    return { url, tunnelId, labels };
  }

  close(): Promise<void> {
    return this.isOver ? Promise.resolve() : this.parts.unbind(this);
  }

  bound(binding: Binding): void {
    this.binding = binding;
    this.parts.backOff.reset();
    this.#resolvers.bound();
    const { onBound } = this.parts;
    // Not within the bind: an exception of the caller's is the caller's, no failure of the session.
    queueMicrotask(() => onBound?.(this));
  }

  /** The service refused visitors of the tunnel. */
  refused(refused: RefusedVisits): void {
    const { onRefused } = this.parts;
    if (onRefused !== undefined) queueMicrotask(() => onRefused(refused));
  }

  end(end: TunnelEnd): void {
    if (this.isOver) return;
    this.isOver = true;
    this.#resolvers.failed(
      end.reason === 'refused' ? end.error : new AgentClosed('The tunnel was closed before it was bound.'),
    );
    this.#resolvers.end(end);
  }
}
