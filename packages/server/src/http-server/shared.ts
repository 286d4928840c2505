/**
 * The state that the connections of one server share.
 * Invariant: it keeps nothing of a request.
 */
import { ConnectionOptions } from '../http-syntax/connection-options.ts';
import { Head } from '../http-syntax/head.ts';
import { LINGER_LIMITS, LingerPlaces } from '../system/linger.ts';
import { keepAliveLines } from './answer.ts';
import type { ConnectionFault, Request, Sender } from './request.ts';
import type { Timeouts } from './timeouts.ts';

export interface HttpServerOptions {
  readonly timeouts: Timeouts;
  /** Bytes of the request line and all headers. */
  readonly headLimit: number;
  /** Each request is to be answered, once. */
  readonly onRequest: (request: Request) => void;
  /** Must refuse a sender whose request cannot be served. */
  readonly onFault: (sender: Sender, fault: ConnectionFault) => void;
  /** A fault of this program, in handling what a connection sent: only it pays. */
  readonly crashed: (error: unknown) => void;
}

/** `a:` and a line end: the size of the head bounds how many there are. */
const SHORTEST_FIELD = 4;

export class Shared {
  readonly timeouts: Timeouts;
  readonly headLimit: number;
  readonly onRequest: HttpServerOptions['onRequest'];
  readonly onFault: HttpServerOptions['onFault'];
  readonly crashed: HttpServerOptions['crashed'];
  /** Read and used in one go, by one connection after the other. */
  readonly head: Head;
  readonly options = new ConnectionOptions();
  /** Places for connections that send on after their last response. */
  readonly lingerPlaces = new LingerPlaces(LINGER_LIMITS.lingerPlaces);
  /** Header lines of responses after which the connection stays open. */
  readonly keepAlive: string;
  /** Each answer is its connection's last one. */
  draining = false;

  constructor({ timeouts, headLimit, onRequest, onFault, crashed }: HttpServerOptions) {
    this.timeouts = timeouts;
    this.headLimit = headLimit;
    this.onRequest = onRequest;
    this.onFault = onFault;
    this.crashed = crashed;
    this.head = new Head(headLimit, Math.ceil(headLimit / SHORTEST_FIELD), []);
    this.keepAlive = keepAliveLines(timeouts.keepAlive);
  }

  /** Monotonic milliseconds. */
  readonly now = (): number => performance.now();
}
