/**
 * Keeps connections with the service, and its tunnels on each of them, until it is closed.
 * Invariant: a lost connection loses no tunnel, and all connections have the same tunnels.
 */
import { createSecureContext } from 'node:tls';
import { field, StreamType } from '@underpass/wire';
import { parseTcpUpstream, parseUpstream, type Upstream } from './address.ts';
import { AgentClosed } from './agent-error.ts';
import type { AgentOptions, ForwardOptions, TunnelOptions } from './agent-options.ts';
import { BackOff } from './back-off.ts';
import { bindCall, readBinding } from './binding.ts';
import type { BoundTunnels } from './bound-tunnels.ts';
import { checkTunnelOptions, refuseForwardOptions } from './check-options.ts';
import { checkUpstreamOptions } from './check-values.ts';
import { Connections, GOOD_SESSION_MS, type Leg } from './connections.ts';
import { forwardTo, logOf, type ServeConnection } from './forward.ts';
import { text } from './hello.ts';
import type { TunnelInspection } from './inspection.ts';
import { Backlog, TunnelListener } from './listener.ts';
import { reasonOf } from './reason.ts';
import { codeIn, isPassing, Refused } from './refused.ts';
import { type RefusedVisits, readRefusals } from './refused-visits.ts';
import { serverNameOf } from './server-name.ts';
import type { Session } from './session.ts';
import { KeptTunnel, type Tunnel, type TunnelEnd, type TunnelParts } from './tunnel.ts';
import { WatchedStream } from './watched-stream.ts';

/** The reason why the agent ended. */
export type AgentEnd =
  | { readonly reason: 'closed' }
  /** The service requested the end. */
  | { readonly reason: 'stopped' }
  | { readonly reason: 'refused'; readonly error: Refused };

const UNBIND_TIMEOUT_MS = 2_000;

/**
 * Connects to the service and keeps the session for ever, with back-off, until it is closed. Resolves at the first
 * authentication. Rejects with Refused (authtoken, certificate), InvalidInput (server address) or the signal's
 * reason. An unreachable service is retried and reported through `onState`.
 */
export async function connect(options: AgentOptions): Promise<Agent> {
  const agent = new Agent(options);
  await agent.first;
  return agent;
}

function isHttp({ proto = 'http', modules }: TunnelOptions): boolean {
  return proto === 'http' && modules?.websocketTcpConverter !== true;
}

/** Has what shows the tunnel hear of refused visitors, too. */
function withRefusals<T extends TunnelOptions>(options: T, inspection: TunnelInspection | null): T {
  if (inspection === null) return options;
  const onRefused = (refused: RefusedVisits) => {
    inspection.refused(refused);
    options.onRefused?.(refused);
  };
  return { ...options, onRefused };
}

/** Reports the state of the tunnel to its inspection. */
async function shown(adding: Promise<Tunnel>, inspection: TunnelInspection | null): Promise<Tunnel> {
  if (inspection === null) return await adding;
  try {
    const tunnel = await adding;
    inspection.bound(tunnel);
    void tunnel.ended.then(() => inspection.ended());
    return tunnel;
  } catch (error) {
    inspection.ended();
    throw error;
  }
}

/** Parses the target of a tunnel whose options are checked. Throws InvalidInput, also for options that do not fit it. */
export function upstreamOf(target: string | number | Upstream, options: ForwardOptions): Upstream {
  const parse = (options.proto ?? 'http') === 'http' ? parseUpstream : parseTcpUpstream;
  const upstream = isUpstream(target) ? target : parse(String(target));
  checkUpstreamOptions(upstream, options);
  return upstream;
}

/** Kept connections and the tunnels on them. */
export class Agent {
  /** Resolves, never rejects, after the agent has ended for good. */
  readonly ended: Promise<AgentEnd>;
  readonly first: Promise<void>;
  readonly #options: AgentOptions;
  readonly #connections: Connections;
  readonly #over = new AbortController();
  readonly #tunnels = new Set<KeptTunnel>();
  #everOnline = false;
  #onFirst: { resolve: () => void; reject: (reason: unknown) => void };
  #onEnd: (end: AgentEnd) => void;

  constructor(options: AgentOptions) {
    this.#options = options;
    this.#connections = new Connections({
      options,
      over: this.#over.signal,
      opened: () => this.#bindMissing(),
      lost: (leg) => this.#lost(leg),
      stop: () => void this.#finish({ reason: 'stopped' }),
      stopTunnel: (leg, request) => this.#stopTunnel(leg, request),
      refusals: (leg, request) => refused(leg, request),
    });
    const first = Promise.withResolvers<void>();
    const ended = Promise.withResolvers<AgentEnd>();
    this.first = first.promise;
    this.ended = ended.promise;
    this.#onFirst = first;
    this.#onEnd = ended.resolve;
    // A signal may outlive many agents: the listener goes with this one.
    const listening = { once: true, signal: this.#over.signal };
    options.signal?.addEventListener('abort', () => void this.close(), listening);
    if (options.signal?.aborted) void this.close();
    void this.#keep();
  }

  /** True once it ends, or has ended. */
  get isOver(): boolean {
    return this.#over.signal.aborted;
  }

  /**
   * Binds a tunnel whose connections go to a local address: `3000`, `host:3000` or `unix:/path`; of HTTP also `http://host:3000`,
   * `https://host`. Rejects with Refused, InvalidInput or AgentClosed.
   */
  async forward(target: string | number | Upstream, options: ForwardOptions = {}): Promise<Tunnel> {
    checkTunnelOptions(options);
    const speaksHttp2 = options.upstreamProtocol === 'http2';
    const serverName = serverNameOf(options);
    const upstream = {
      ...upstreamOf(target, options),
      speaksHttp2,
      isRaw: options.modules?.websocketTcpConverter === true,
      ...(options.upstreamTls === undefined ? {} : { verifiedBy: createSecureContext(options.upstreamTls) }),
      ...(serverName === undefined ? {} : { serverName }),
    };
    const inspected = options.inspection === undefined ? this.#inspects(options, upstream.text) : null;
    const watch = inspected === null || !isHttp(options) ? options : { ...options, inspection: inspected };
    const serve: ServeConnection = (stream, header) => forwardTo(upstream, stream, header, watch);
    watch.inspection?.serving(serve);
    return await shown(this.#add(withRefusals(options, inspected), upstream, serve), inspected);
  }

  /** Binds a tunnel whose connections are handed to this program. Rejects with Refused, InvalidInput or AgentClosed. */
  async listen(options: TunnelOptions = {}): Promise<TunnelListener> {
    checkTunnelOptions(options);
    refuseForwardOptions(options);
    const backlog = new Backlog();
    const to = { text: 'embedded', scheme: 'http' } as const;
    const inspection = this.#inspects(options, to.text);
    const serve: ServeConnection =
      inspection === null || !isHttp(options)
        ? (stream, header) => backlog.add(stream, header)
        : (stream, header) => {
            const speaksHttp2 = options.upstreamProtocol === 'http2';
            const log = logOf(
              { speaksHttp2 },
              {
                report: undefined,
                capture: inspection.capture(header),
                clientAddr: header.ClientAddr,
              },
            );
            backlog.add(new WatchedStream(stream, log), header);
          };
    if (isHttp(options)) inspection?.serving(serve);
    return new TunnelListener(
      await shown(this.#add(withRefusals(options, inspection), to, serve), inspection),
      backlog,
    );
  }

  /** Unbinds every tunnel, sends GOAWAY and ends. */
  async close(): Promise<void> {
    await this.#finish({ reason: 'closed' });
  }

  #inspects(request: TunnelOptions, text: string): TunnelInspection | null {
    return this.#options.inspects?.({ name: null, upstream: { text }, request }) ?? null;
  }

  async #add(
    options: TunnelOptions,
    to: TunnelParts['to'],
    connection: TunnelParts['connection'],
  ): Promise<Tunnel> {
    const { signal } = this.#options;
    signal?.throwIfAborted();
    if (this.#over.signal.aborted) throw new AgentClosed('The agent is closed.');
    const tunnel = new KeptTunnel({
      request: options,
      to,
      connection,
      onBound: options.onBound,
      onRefused: options.onRefused,
      backOff: this.#newBackOff(),
      unbind: (it) => this.#unbind(it, { reason: 'closed' }),
    });
    this.#tunnels.add(tunnel);
    this.#bindWhereMissing(tunnel);
    try {
      await tunnel.first;
    } catch (error) {
      // Not that the agent ended, but why.
      signal?.throwIfAborted();
      throw error;
    }
    return tunnel;
  }

  /** Connects again when no connection is left, until the agent ends. */
  async #keep(): Promise<void> {
    const backOff = this.#newBackOff();
    let failures = 0;
    while (!this.#over.signal.aborted) {
      const began = performance.now();
      let reason: string;
      try {
        reason = await this.#live();
        failures = 0;
        if (performance.now() - began > GOOD_SESSION_MS) backOff.reset();
      } catch (error) {
        if (error instanceof Refused && this.#isFinal(error)) {
          await this.#finish({ reason: 'refused', error });
          return;
        }
        reason = reasonOf(error);
        failures++;
      }
      if (this.#over.signal.aborted) return;
      const retryInMs = backOff.next();
      this.#options.onState?.({ state: 'offline', reason, retryInMs, failures });
      await pause(retryInMs, this.#over.signal);
    }
  }

  #newBackOff(): BackOff {
    return new BackOff({ random: this.#options.random ?? Math.random, now: () => performance.now() });
  }

  /** A certificate that was good before may be so again; a service that runs must be able to renew it badly once. */
  #isFinal(error: Refused): boolean {
    return error.stage !== 'certificate' || !this.#everOnline;
  }

  /** Keeps connections until the last one is lost. Resolves with the reason of the end. */
  async #live(): Promise<string> {
    this.#options.onState?.({ state: 'connecting' });
    const first = await this.#connections.openFirst();
    if (this.#over.signal.aborted) {
      await first.session.close();
      return 'closed';
    }
    this.#everOnline = true;
    const { region, sessionId, banner, newerVersion } = first.session.welcome;
    const newer = newerVersion === '' ? {} : { newerVersion };
    this.#options.onState?.({ state: 'online', region, sessionId, banner, ...newer });
    this.#onFirst.resolve();
    const noneLeft = this.#connections.use(first);
    this.#bindMissing();
    return await noneLeft;
  }

  #bindMissing(): void {
    for (const tunnel of this.#tunnels) this.#bindWhereMissing(tunnel);
  }

  /** Binds a tunnel on one connection, and then, with its name, on the others. */
  #bindWhereMissing(tunnel: KeptTunnel): void {
    const legs = [...this.#connections.live];
    const missing = legs.filter(({ tunnels }) => tunnels.bindingOf(tunnel) === undefined);
    if (missing.length < legs.length) {
      for (const leg of missing) if (leg.tunnels.unbound(tunnel) === undefined) void this.#bind(tunnel, leg);
      return;
    }
    const isPending = ({ tunnels }: Leg) => ['requested', 'waiting'].includes(tunnels.unbound(tunnel) ?? '');
    const [first] = missing;
    if (first !== undefined && !missing.some(isPending)) void this.#bind(tunnel, first);
  }

  async #bind(tunnel: KeptTunnel, leg: Leg): Promise<void> {
    const { type, request } = bindCall(tunnel.parts.request, tunnel.parts.to, tunnel.binding);
    const { session, tunnels } = leg;
    tunnels.request(tunnel);
    try {
      const binding = readBinding(await session.call(type, request));
      if (!this.#connections.live.has(leg)) return;
      if ('error' in binding) return this.#bindRefused(tunnel, leg, binding.error);
      if (tunnel.isOver) return await unbind(session, binding.id);
      const isFirst = !this.#isBound(tunnel);
      tunnels.add(tunnel, binding);
      if (isFirst) tunnel.bound(binding);
      this.#bindWhereMissing(tunnel);
    } catch (error) {
      session.fail(`a tunnel could not be bound: ${reasonOf(error)}`);
    } finally {
      tunnels.responded(tunnel);
    }
  }

  #isBound(tunnel: KeptTunnel): boolean {
    return [...this.#connections.live].some(({ tunnels }) => tunnels.bindingOf(tunnel) !== undefined);
  }

  #bindRefused(tunnel: KeptTunnel, leg: Leg, message: string): void {
    if (isPassing(message)) {
      leg.tunnels.postpone(tunnel, 'waiting');
      void pause(tunnel.parts.backOff.next(), this.#over.signal).then(() => {
        if (this.#connections.live.has(leg) && !tunnel.isOver) return this.#bind(tunnel, leg);
      });
    } else if (this.#isBound(tunnel)) leg.tunnels.postpone(tunnel, 'refused');
    else {
      this.#tunnels.delete(tunnel);
      tunnel.end({ reason: 'refused', error: new Refused('bind', message, codeIn(message)) });
    }
  }

  /** Tunnels stay bound on the other connections. */
  #lost({ tunnels }: Leg): void {
    for (const tunnel of tunnels.all) {
      if (tunnel.binding !== tunnels.bindingOf(tunnel)) continue;
      for (const other of this.#connections.live)
        tunnel.binding = other.tunnels.bindingOf(tunnel) ?? tunnel.binding;
    }
    this.#bindMissing();
  }

  #stopTunnel(leg: BoundTunnels, request: unknown): void {
    const tunnel = leg.get(text(field(request, 'Id')));
    if (tunnel === undefined) return;
    leg.remove(tunnel);
    const [message, code] = [text(field(request, 'Message')), text(field(request, 'ErrorCode'))];
    void this.#unbind(tunnel, { reason: 'stopped', message, code });
  }

  /** Unbinds on every connection: each daemon stops at once. */
  async #unbind(tunnel: KeptTunnel, end: TunnelEnd): Promise<void> {
    this.#tunnels.delete(tunnel);
    tunnel.end(end);
    const unbound = [...this.#connections.live].map(async ({ session, tunnels }) => {
      const id = tunnels.remove(tunnel);
      if (id !== undefined) await unbind(session, id);
    });
    await Promise.all(unbound);
  }

  async #finish(end: AgentEnd): Promise<void> {
    if (this.#over.signal.aborted) {
      await this.ended;
      return;
    }
    this.#over.abort();
    await Promise.all([...this.#tunnels].map((tunnel) => this.#unbind(tunnel, asTunnelEnd(end))));
    await this.#connections.close();
    const { signal } = this.#options;
    if (end.reason === 'refused') this.#onFirst.reject(end.error);
    else if (signal?.aborted) this.#onFirst.reject(signal.reason);
    else this.#onFirst.reject(new AgentClosed('The agent was closed before it was online.'));
    this.#onEnd(end);
  }
}

function refused(leg: BoundTunnels, report: unknown): void {
  for (const [id, visits] of readRefusals(report)) leg.get(id)?.refused(visits);
}

function asTunnelEnd(end: AgentEnd): TunnelEnd {
  if (end.reason !== 'stopped') return end;
  return { reason: 'stopped', message: 'The service stopped this agent.', code: '' };
}

/** Failing to unbind is no failure: the session's end unbinds everything. */
async function unbind(session: Session, id: string): Promise<void> {
  await session.call(StreamType.unbind, { Id: id }, UNBIND_TIMEOUT_MS).catch(() => {});
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', done);
      resolve();
    };
    const timer = setTimeout(done, ms);
    signal.addEventListener('abort', done);
    if (signal.aborted) done();
  });
}

/** Programs without types give null, too. */
function isUpstream(target: string | number | Upstream | null): target is Upstream {
  return typeof target === 'object' && target !== null && Object.hasOwn(target, 'at');
}
