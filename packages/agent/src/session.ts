/** One authenticated session with the service, from the dial to its end. */
import type { TLSSocket } from 'node:tls';
import {
  answer,
  call,
  ErrorCode,
  echoHeartbeat,
  type Heartbeat,
  MuxSession,
  type MuxStream,
  type ProxyHeader,
  readProxyHeader,
  StreamType,
  startHeartbeat,
} from '@underpass/wire';
import type { HostPort } from './address.ts';
import { type Dialled, type DialOptions, dial } from './dial.ts';
import {
  authRequest,
  type Earlier,
  type HeartbeatTimes,
  type LegRequest,
  readWelcome,
  updateUnsupported,
  type Welcome,
} from './hello.ts';
import { acceptedStreams, countStreams, hasRoom } from './offered-streams.ts';
import { codeIn, isPassing, Refused } from './refused.ts';

const CALL_TIMEOUT_MS = 15_000;
const GOODBYE_MS = 1_000;
const NOT_FOR_AGENTS =
  'what answers does not speak the agent protocol (is it connect.DOMAIN, the host for agents?)';

export interface SessionParts {
  readonly server: HostPort;
  readonly authtoken: string;
  readonly earlier: Earlier;
  readonly leg: LegRequest;
  readonly heartbeat: HeartbeatTimes;
  readonly dial: DialOptions;
  /** Called after each heartbeat. */
  readonly beat: (roundTripMs: number) => void;
  /** A proxied connection with its header read. */
  readonly proxy: (stream: MuxStream, header: ProxyHeader) => void;
  /** Called if the service requests the end of this agent. */
  readonly stop: () => void;
  /** Called if the service requests a restart: a new session is as good, because an agent keeps only its tunnels. */
  readonly restart: () => void;
  /** The service ended one tunnel: StopTunnel's request as it came. */
  readonly stopTunnel: (request: unknown) => void;
  /** The service reports visitors that it refused: the request as it came. */
  readonly refusals: (request: unknown) => void;
  /** The service reports the number of useful connections: the request as it came. */
  readonly connections: (request: unknown) => void;
}

/** One authenticated session with the service, from the dial to its end. */
export class Session {
  readonly welcome: Welcome;
  /** Resolves, never rejects, with why the session ended. */
  readonly over: Promise<string>;
  readonly #wire: Wire;

  constructor(wire: Wire, welcome: Welcome) {
    this.#wire = wire;
    this.over = wire.over;
    this.welcome = welcome;
  }

  /** Sends one RPC. Rejects if the session ends, or the service resets the stream or does not respond in time. */
  call(type: StreamType, request: unknown, timeoutMs: number = CALL_TIMEOUT_MS): Promise<unknown> {
    return call(this.#wire.mux, type, request, timeoutMs);
  }

  /** Sends GOAWAY and ends the session; resolves after the socket is closed. */
  close(): Promise<void> {
    this.#wire.close(ErrorCode.none, 'the agent closes');
    return this.#wire.socketClosed;
  }

  /** Ends the session in favour of a new one. */
  leave(reason: string): void {
    this.#wire.close(ErrorCode.none, reason);
  }

  /** Ends a session that does not work any more. */
  fail(reason: string): void {
    this.#wire.close(ErrorCode.internal, reason);
  }
}

/** Dials, authenticates and keeps the heartbeat. Rejects with Refused when trying again is of no use. */
export async function openSession(parts: SessionParts): Promise<Session> {
  const dialled = await dial(parts.server, parts.dial);
  const wire = new Wire(dialled, parts);
  const abandon = () => wire.close(ErrorCode.none, 'stopped');
  parts.dial.signal.addEventListener('abort', abandon);
  if (parts.dial.signal.aborted) abandon();
  try {
    const request = authRequest(
      parts.authtoken,
      parts.earlier,
      parts.heartbeat,
      parts.dial.tls.hasOwnAuthorities,
      parts.leg,
    );
    const welcome = readWelcome(await call(wire.mux, StreamType.auth, request, CALL_TIMEOUT_MS));
    if (welcome.error === '') return new Session(wire, welcome);
    if (isPassing(welcome.error)) throw new Error(welcome.error);
    throw new Refused('auth', welcome.error, codeIn(welcome.error));
  } catch (error) {
    if (error instanceof Refused || !wire.mux.isClosed) {
      wire.close(ErrorCode.none, 'not authenticated');
      throw error;
    }
    const over = await wire.over;
    throw new Error(wire.isForeign ? `${over}: ${NOT_FOR_AGENTS}` : over);
  } finally {
    parts.dial.signal.removeEventListener('abort', abandon);
  }
}

/** The mux on its socket, the heartbeat, and the streams that the service opens. */
class Wire {
  readonly mux: MuxSession;
  readonly over: Promise<string>;
  readonly socketClosed: Promise<void>;
  readonly #socket: TLSSocket;
  readonly #ended: (reason: string) => void;
  #uncount: () => void = () => {};
  #heartbeat: Heartbeat | null = null;
  /** True if the peer's bytes were not of the agent protocol. */
  isForeign = false;

  constructor({ socket, reads }: Dialled, parts: SessionParts) {
    this.#socket = socket;
    this.socketClosed = new Promise((resolve) => {
      if (socket.closed) resolve();
      else socket.once('close', () => resolve());
    });
    const over = Promise.withResolvers<string>();
    this.over = over.promise;
    this.#ended = over.resolve;
    this.mux = new MuxSession(socket, {
      reads,
      role: 'client',
      maxStreams: acceptedStreams(),
      accept: (type, stream) => accept(type, stream, parts, this),
      closed: ({ code, debug }) => {
        this.isForeign = code === ErrorCode.protocol;
        this.#uncount();
        this.#heartbeat?.stop();
        this.#ended(debug === '' ? `the session ended (code ${code})` : debug);
        this.#hangUp();
      },
    });
    if (!this.mux.isClosed) this.#uncount = countStreams(this.mux);
    this.#heartbeat = startHeartbeat(this.mux, {
      ...parts.heartbeat,
      beat: parts.beat,
      dead: () => {
        this.#ended('the service stopped answering heartbeats');
        this.close(ErrorCode.writeTimeout, 'no heartbeat');
        // Nothing that is still queued will arrive.
        socket.destroy();
      },
    });
  }

  close(code: ErrorCode, reason: string): void {
    this.#ended(reason);
    this.mux.goAway(code, reason);
  }

  #hangUp(): void {
    const timer = setTimeout(() => this.#socket.destroy(), GOODBYE_MS);
    void this.socketClosed.then(() => clearTimeout(timer));
  }
}

function accept(type: number, stream: MuxStream, parts: SessionParts, wire: Wire): void {
  const serve = services.get(type);
  if (serve === undefined) stream.reset(ErrorCode.streamRefused);
  else serve(stream, parts, wire);
}

type Serve = (stream: MuxStream, parts: SessionParts, wire: Wire) => void;

/** The streams that the service may open (agent protocol, section 3). */
const services: ReadonlyMap<number, Serve> = new Map<number, Serve>([
  [StreamType.proxy, proxied],
  [
    StreamType.proxyNarrow,
    (stream, parts, wire) => {
      wire.mux.narrow(stream);
      proxied(stream, parts, wire);
    },
  ],
  [StreamType.heartbeat, (stream) => echoHeartbeat(stream)],
  [StreamType.stop, (stream, parts) => obey(stream, parts.stop)],
  [StreamType.stopTunnel, (stream, parts) => obey(stream, parts.stopTunnel)],
  [StreamType.refusals, (stream, parts) => obey(stream, parts.refusals)],
  [StreamType.connections, (stream, parts) => obey(stream, parts.connections)],
  [StreamType.restart, (stream, parts) => obey(stream, parts.restart)],
  [StreamType.update, (stream) => answer(stream, () => ({ Error: updateUnsupported }))],
]);

function proxied(stream: MuxStream, parts: SessionParts, { mux }: Wire): void {
  if (hasRoom(mux)) readProxyHeader(stream, (header) => parts.proxy(stream, header));
  else stream.reset(ErrorCode.acceptQueueFull);
}

function obey(stream: MuxStream, act: (request: unknown) => void): void {
  answer(stream, (request) => {
    act(request);
    return { Error: '' };
  });
}
