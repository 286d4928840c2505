/**
 * Keeps one session with the service, and its tunnels on it, until it is closed.
 * Invariant: a lost connection loses no tunnel.
 */
import { createSecureContext } from 'node:tls';
import { ErrorCode, field, type MuxStream, type ProxyHeader, StreamType } from '@underpass/wire';
import { type HostPort, parseServer, parseTcpUpstream, parseUpstream, type Upstream } from './address.ts';
import { AgentClosed } from './agent-error.ts';
import type { AgentOptions, ForwardOptions, TunnelOptions } from './agent-options.ts';
import { BackOff } from './back-off.ts';
import { bindCall, readBinding } from './binding.ts';
import { checkTunnelOptions, refuseForwardOptions } from './check-options.ts';
import { checkUpstreamOptions } from './check-values.ts';
import { forwardTo, logOf, type ServeConnection } from './forward.ts';
import { type Earlier, type HeartbeatTimes, text } from './hello.ts';
import type { TunnelInspection } from './inspection.ts';
import { Backlog, TunnelListener } from './listener.ts';
import { reasonOf } from './reason.ts';
import { codeIn, isPassing, Refused } from './refused.ts';
import { type RefusedVisits, readRefusals } from './refused-visits.ts';
import { ServerAddresses } from './server-addresses.ts';
import { serverNameOf } from './server-name.ts';
import { openSession, type Session } from './session.ts';
import { TlsMemory } from './tls-memory.ts';
import { KeptTunnel, type Tunnel, type TunnelEnd, type TunnelParts } from './tunnel.ts';
import { WatchedStream } from './watched-stream.ts';

/** The reason why the agent ended. */
export type AgentEnd =
  | { readonly reason: 'closed' }
  /** The service requested the end. */
  | { readonly reason: 'stopped' }
  | { readonly reason: 'refused'; readonly error: Refused };

const HEARTBEAT: HeartbeatTimes = { intervalMs: 10_000, toleranceMs: 15_000 };
const DIAL_TIMEOUT_MS = 15_000;
const UNBIND_TIMEOUT_MS = 2_000;
/** A session that lasted this long was a good one: the next back-off begins small again. */
const GOOD_SESSION_MS = 10_000;

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

/** A kept session and the tunnels on it. */
export class Agent {
  /** Resolves, never rejects, after the agent has ended for good. */
  readonly ended: Promise<AgentEnd>;
  readonly first: Promise<void>;
  readonly #options: AgentOptions;
  readonly #server: HostPort;
  readonly #tls: TlsMemory;
  readonly #addresses: ServerAddresses;
  readonly #over = new AbortController();
  readonly #tunnels = new Set<KeptTunnel>();
  /** Tunnels of the current session by their bind id. */
  readonly #byId = new Map<string, KeptTunnel>();
  /** Proxied connections that arrived before the response to their tunnel's bind request was read. */
  #pending: { readonly stream: MuxStream; readonly header: ProxyHeader }[] = [];
  #binding = 0;
  #session: Session | null = null;
  #earlier: Earlier = { clientId: '', cookie: '' };
  #everOnline = false;
  #onFirst: { resolve: () => void; reject: (reason: unknown) => void };
  #onEnd: (end: AgentEnd) => void;

  constructor(options: AgentOptions) {
    this.#options = options;
    this.#server = parseServer(options.server);
    this.#tls = new TlsMemory(options);
    this.#addresses = new ServerAddresses(options.random === undefined ? {} : { random: options.random });
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
    if (this.#session !== null) void this.#bind(tunnel, this.#session);
    try {
      await tunnel.first;
    } catch (error) {
      // Not that the agent ended, but why.
      signal?.throwIfAborted();
      throw error;
    }
    return tunnel;
  }

  /** One session after the other, until the agent ends. */
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

  /** One session from dial to end; resolves with why it ended. */
  async #live(): Promise<string> {
    this.#options.onState?.({ state: 'connecting' });
    const session = await openSession({
      server: this.#server,
      authtoken: this.#options.authtoken,
      earlier: this.#earlier,
      heartbeat: this.#options.heartbeat ?? HEARTBEAT,
      dial: {
        ...{ tls: this.#tls, addresses: this.#addresses },
        ...{ signal: this.#over.signal, timeoutMs: DIAL_TIMEOUT_MS },
      },
      beat: (roundTripMs) => this.#options.onLatency?.(roundTripMs),
      proxy: (stream, header) => this.#proxy(stream, header),
      stop: () => void this.#finish({ reason: 'stopped' }),
      stopTunnel: (request) => this.#stopTunnel(request),
      refusals: (request) => this.#refused(request),
    });
    if (this.#over.signal.aborted) {
      await session.close();
      return 'closed';
    }
    const { clientId, cookie, region, sessionId, banner, newerVersion } = session.welcome;
    this.#earlier = { clientId, cookie };
    this.#session = session;
    this.#everOnline = true;
    const newer = newerVersion === '' ? {} : { newerVersion };
    this.#options.onState?.({ state: 'online', region, sessionId, banner, ...newer });
    this.#onFirst.resolve();
    for (const tunnel of this.#tunnels) void this.#bind(tunnel, session);
    const reason = await session.over;
    this.#session = null;
    this.#byId.clear();
    this.#pending = [];
    return reason;
  }

  async #bind(tunnel: KeptTunnel, session: Session): Promise<void> {
    const { type, request } = bindCall(tunnel.parts.request, tunnel.parts.to, tunnel.binding);
    this.#binding++;
    try {
      const binding = readBinding(await session.call(type, request));
      if (session !== this.#session) return;
      if ('error' in binding) return this.#bindRefused(tunnel, session, binding.error);
      if (tunnel.isOver) return await unbind(session, binding.id);
      this.#byId.set(binding.id, tunnel);
      tunnel.bound(binding);
    } catch (error) {
      session.fail(`a tunnel could not be bound: ${reasonOf(error)}`);
    } finally {
      this.#binding--;
      this.#deliverPending();
    }
  }

  #bindRefused(tunnel: KeptTunnel, session: Session, message: string): void {
    if (isPassing(message)) {
      const retryInMs = tunnel.parts.backOff.next();
      void pause(retryInMs, this.#over.signal).then(() => {
        if (session === this.#session && !tunnel.isOver) return this.#bind(tunnel, session);
      });
      return;
    }
    this.#tunnels.delete(tunnel);
    tunnel.end({ reason: 'refused', error: new Refused('bind', message, codeIn(message)) });
  }

  #proxy(stream: MuxStream, header: ProxyHeader): void {
    const tunnel = this.#byId.get(header.Id);
    if (tunnel !== undefined) tunnel.parts.connection(stream, header);
    else if (this.#binding === 0) stream.reset(ErrorCode.streamRefused);
    else {
      stream.pause();
      // Visitors that left meanwhile are not kept.
      if (this.#pending.length % 64 === 63) this.#pending = this.#pending.filter((one) => !one.stream.closed);
      this.#pending.push({ stream, header });
    }
  }

  #deliverPending(): void {
    const pending = this.#pending;
    this.#pending = [];
    for (const { stream, header } of pending) {
      if (stream.closed) continue;
      stream.resume();
      this.#proxy(stream, header);
    }
  }

  #refused(report: unknown): void {
    for (const [id, refused] of readRefusals(report)) this.#byId.get(id)?.refused(refused);
  }

  #stopTunnel(request: unknown): void {
    const id = text(field(request, 'Id'));
    const tunnel = this.#byId.get(id);
    if (tunnel === undefined) return;
    this.#byId.delete(id);
    this.#tunnels.delete(tunnel);
    tunnel.end({
      reason: 'stopped',
      message: text(field(request, 'Message')),
      code: text(field(request, 'ErrorCode')),
    });
  }

  async #unbind(tunnel: KeptTunnel, end: TunnelEnd): Promise<void> {
    this.#tunnels.delete(tunnel);
    tunnel.end(end);
    const id = tunnel.binding?.id;
    if (id === undefined || this.#session === null || this.#byId.get(id) !== tunnel) return;
    this.#byId.delete(id);
    await unbind(this.#session, id);
  }

  async #finish(end: AgentEnd): Promise<void> {
    if (this.#over.signal.aborted) {
      await this.ended;
      return;
    }
    this.#over.abort();
    await Promise.all([...this.#tunnels].map((tunnel) => this.#unbind(tunnel, asTunnelEnd(end))));
    await this.#session?.close();
    const { signal } = this.#options;
    if (end.reason === 'refused') this.#onFirst.reject(end.error);
    else if (signal?.aborted) this.#onFirst.reject(signal.reason);
    else this.#onFirst.reject(new AgentClosed('The agent was closed before it was online.'));
    this.#onEnd(end);
  }
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
