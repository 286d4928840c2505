/**
 * Copies bytes between a proxied connection and a local one.
 * Invariant: a half-close of one side keeps the other direction open.
 */
import { type IpcNetConnectOpts, isIP, Socket, type TcpNetConnectOpts } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { routeTo } from '@underpass/client/loopback';
import {
  asUpstream,
  ErrorCode,
  GatheredWrites,
  type MuxStream,
  mayBeCut,
  noopHandler,
  type ProxyHeader,
  resetSocket,
  type StreamHandler,
} from '@underpass/wire';
import type { Upstream } from './address.ts';
import { DialTimeout, dialCodeOf } from './dial-code.ts';
import {
  type ConnectionCapture,
  type ConnectionLog,
  HttpLog,
  type HttpLogOptions,
  type LoggedRequest,
} from './http-log.ts';
import { Http2Log } from './http2-log.ts';
import { misunderstood, silent, unreachable } from './upstream-faults.ts';

/** Serves a connection of a visitor, or one that looks like it. */
export type ServeConnection = (stream: MuxStream, header: ProxyHeader) => void;

/** Records the traffic of connections. */
export interface Inspection {
  /** Called for each HTTP connection; returns its capture. */
  capture(header: ProxyHeader): ConnectionCapture;
  /** Enables replays with `serve`. */
  serving(serve: ServeConnection): void;
}

/** Observes connections while they are forwarded. Called synchronously; must not throw. */
export interface Watch {
  /** Called for each completed HTTP exchange. */
  readonly onExchange?: (exchange: LoggedRequest) => void;
  readonly inspection?: Inspection;
  /** The service puts a header of the PROXY protocol before what visitors send. */
  readonly proxyProtocol?: 1 | 2;
  /** The upstream could not be reached, or does not speak what it is expected to. */
  readonly onUpstreamError?: (message: string) => void;
}

const CONNECT_TIMEOUT_MS = 10_000;
const READ_BYTES = 131_072;
/** A stream would pause between two drains with Node's default. */
const SOCKET_BUFFER_BYTES = 256 * 1024;

/** Every socket reads into this one buffer and copies out what came: most chunks are a fraction of what a read may bring. */
const incoming = Buffer.allocUnsafeSlow(READ_BYTES);
const monotonic = () => performance.now();

/** Connects a proxied connection to the upstream, both ways, with back-pressure and half-close. An unreachable upstream resets the stream with a code of its own. */
export function forwardTo(upstream: Upstream, stream: MuxStream, header: ProxyHeader, watch: Watch): void {
  stream.handler = new Forwarding(upstream, stream, header, watch);
}

/** Returns the log for the connection's protocol. */
export function logOf(
  { speaksHttp2 }: Pick<Upstream, 'speaksHttp2'>,
  options: Omit<HttpLogOptions, 'now'>,
): ConnectionLog {
  const timed = { ...options, now: monotonic };
  return speaksHttp2 === true ? new Http2Log(timed) : new HttpLog(timed);
}

class Forwarding implements StreamHandler {
  readonly keepsNoChunk = true;
  readonly #stream: MuxStream;
  readonly #socket: Socket;
  readonly #toUpstream: GatheredWrites;
  readonly #isTls: boolean;
  readonly #canReset: boolean;
  readonly #log: ConnectionLog | null;
  /** Inspects the first bytes of the upstream, or their absence; null after them, or if any bytes are valid. */
  #first: ((chunk: Buffer | null) => void) | null = null;
  #isReached = false;
  #isAsked = false;
  #error: Error | null = null;
  #upstreamEnded = false;
  /** The code of a stream whose upstream is not reached. */
  #unreached: ErrorCode = ErrorCode.upstreamUnreached;

  constructor(upstream: Upstream, stream: MuxStream, header: ProxyHeader, watch: Watch) {
    this.#stream = stream;
    const { onExchange: report, inspection, proxyProtocol } = watch;
    const isWatched = (report ?? inspection) !== undefined && upstream.isRaw !== true;
    const capture = isWatched ? inspection?.capture(header) : undefined;
    this.#log = isWatched
      ? logOf(upstream, { report, capture, proxyProtocol, clientAddr: header.ClientAddr })
      : null;
    // Passed-through TLS is the visitor's own: a second layer around it would not be understood.
    this.#isTls = upstream.scheme === 'https' && !header.PassthroughTLS;
    const tell = (fault: string) => {
      watch.onUpstreamError?.(fault);
      this.#log?.fault(fault);
    };
    const speaksHttp = upstream.scheme !== 'tcp' && upstream.isRaw !== true && !header.PassthroughTLS;
    if (speaksHttp && (watch.onUpstreamError !== undefined || this.#log !== null)) {
      this.#first = (chunk) => {
        const fault = chunk === null ? silent(upstream, this.#error) : misunderstood(upstream, chunk);
        if (fault !== null) tell(fault);
      };
    }
    // Unix sockets know no reset.
    this.#canReset = !this.#isTls && 'port' in upstream.at;
    const options = {
      ...routeOf(upstream),
      allowHalfOpen: true,
      noDelay: true,
      highWaterMark: SOCKET_BUFFER_BYTES,
      onread: { buffer: incoming, callback: (length: number) => this.#received(length) },
    };
    const made = this.#isTls
      ? connectTls({
          ...options,
          ...(upstream.verifiedBy === undefined
            ? { rejectUnauthorized: false }
            : { secureContext: upstream.verifiedBy }),
          ALPNProtocols: [upstream.speaksHttp2 === true ? 'h2' : 'http/1.1'],
          ...serverNameFor(upstream),
        })
      : new Socket(options).connect(options);
    const socket = asUpstream(made);
    this.#socket = socket;
    this.#toUpstream = new GatheredWrites(socket, () => stream.resume());
    socket.setTimeout(CONNECT_TIMEOUT_MS, () =>
      socket.destroy(new DialTimeout(`no answer within ${CONNECT_TIMEOUT_MS / 1000} s`)),
    );
    socket.once(this.#isTls ? 'secureConnect' : 'connect', () => {
      this.#isReached = true;
      stream.acknowledge();
      socket.setTimeout(0);
    });
    socket.on('end', () => {
      if (mayBeCut(socket)) {
        socket.destroy();
        return;
      }
      this.#upstreamEnded = true;
      this.#missAnswer();
      this.#log?.responseEnd();
      stream.end();
    });
    socket.on('error', (error) => {
      this.#error = error;
      if (this.#isReached) return;
      if (header.TakesCauses === true) this.#unreached = dialCodeOf(error);
      tell(unreachable(upstream, error));
    });
    socket.on('close', () => this.#upstreamGone());
  }

  data(chunk: Buffer): void {
    this.#isAsked = true;
    this.#log?.request(chunk);
    if (!this.#toUpstream.writeCopy(chunk)) this.#stream.pause();
  }

  end(): void {
    this.#toUpstream.flush();
    this.#socket.end();
  }

  drain(): void {
    this.#socket.resume();
  }

  close(code: ErrorCode): void {
    this.#log?.close();
    const socket = this.#socket;
    if (code === ErrorCode.none || socket.destroyed) return;
    this.#toUpstream.flush();
    // A visitor's connection that broke must not look to the upstream like one that ended.
    if (this.#canReset && !socket.connecting) resetSocket(socket);
    else socket.destroy();
  }

  #received(length: number): boolean {
    const view = incoming.subarray(0, length);
    this.#first?.(view);
    this.#first = null;
    this.#log?.response(view);
    return this.#stream.writeCopy(view);
  }

  /** No more bytes will come, and the upstream alone has ended the connection. */
  #missAnswer(): void {
    if (this.#isReached && this.#isAsked && !this.#stream.closed) this.#first?.(null);
    this.#first = null;
  }

  #upstreamGone(): void {
    const stream = this.#stream;
    if (stream.closed) return;
    if (!this.#upstreamEnded) {
      this.#missAnswer();
      // The service may serve the connection elsewhere if nothing was passed on.
      stream.reset(this.#isReached ? ErrorCode.remoteGoneAway : this.#unreached);
      return;
    }
    this.#log?.close();
    // The upstream has sent its whole response, and only stopped reading.
    stream.handler = noopHandler;
    stream.resume();
  }
}

function routeOf({ at }: Upstream): TcpNetConnectOpts | IpcNetConnectOpts {
  return 'path' in at ? at : routeTo(at.host, at.port);
}

/** An address is no server name (RFC 6066, section 3). */
function serverNameFor({ at, serverName }: Upstream): { readonly servername?: string } {
  if (serverName !== undefined) return { servername: serverName };
  return 'path' in at || isIP(at.host) !== 0 ? {} : { servername: at.host };
}
