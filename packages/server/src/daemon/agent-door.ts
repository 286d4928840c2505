/**
 * Divides the connections to `connect.<domain>` by their first bytes: HTTP requests of browsers, and agents.
 * Invariant: the first byte of an agent is enough, so agents never wait.
 */
import type { Socket } from 'node:net';
import { type Deadline, deadline } from '@underpass/wire';
import { type ConnectionAddresses, ipOf, sourceKey } from '../core/ip/client-address.ts';
import { plainHttpMethod } from '../edge/listeners/plain-http.ts';
import { Unauthenticated } from '../tunnels/unauthenticated.ts';

export interface AgentDoorOptions<Connection extends Socket> {
  readonly agents: Receiver<Connection>;
  readonly browsers: Receiver<Connection>;
  /** Called before an unfinished request line is cut. */
  readonly cut: () => void;
  readonly limits?: AgentDoorLimits;
}

interface Receiver<Connection extends Socket> {
  serve(socket: Connection, addresses: ConnectionAddresses): void;
}

/** Connections without their first bytes, in all and per source; beyond it those go on that have waited longest. */
export interface AgentDoorLimits {
  readonly inAll: number;
  readonly perSource: number;
  /** Milliseconds for the first bytes. */
  readonly waitMs: number;
}

/** Wide like those of agents before Auth: a thousand may reconnect from one address at once. */
const LIMITS: AgentDoorLimits = { inAll: 4096, perSource: 2048, waitMs: 5_000 };

/** The begin of a request line: letters of a method, and a space. Frames of agents begin with a zero byte. */
const BEGINS = /^[A-Z-]{1,17}$|^[A-Z-]{3,17} $/;
/** Longest text that can be one. */
const MOST_BYTES = 18;

interface Waiting {
  readonly wait: Deadline;
  /** Passes the connection on with what it has sent. */
  goOn(): void;
  end(): void;
}

export class AgentDoor<Connection extends Socket> {
  readonly #options: AgentDoorOptions<Connection>;
  readonly #limits: AgentDoorLimits;
  readonly #crowd: Unauthenticated<Waiting>;
  readonly #waiting = new Set<Waiting>();
  #isClosed = false;

  constructor(options: AgentDoorOptions<Connection>) {
    this.#options = options;
    this.#limits = options.limits ?? LIMITS;
    this.#crowd = new Unauthenticated(this.#limits);
  }

  /** Number of connections whose first bytes are awaited. */
  get size(): number {
    return this.#waiting.size;
  }

  serve(socket: Connection, addresses: ConnectionAddresses): void {
    if (this.#isClosed || socket.destroyed) return void socket.destroy();
    const { agents, browsers, cut } = this.#options;
    let bytes: Buffer = Buffer.alloc(0);
    const onData = (chunk: Buffer): void => {
      bytes = bytes.length === 0 ? chunk : Buffer.concat([bytes, chunk]);
      if (plainHttpMethod(bytes) !== null) pass(browsers);
      else if (!isUndecided(bytes)) pass(agents);
    };
    const pass = (receiver: Receiver<Connection>): void => {
      leave();
      socket.pause();
      if (bytes.length > 0) socket.unshift(bytes);
      receiver.serve(socket, addresses);
      if (!socket.destroyed) socket.resume();
    };
    const end = (): void => {
      leave();
      socket.destroy();
    };
    // An unfinished request line is of no agent. A silent connection is limited like that of any agent before Auth.
    const goOn = (): void => {
      if (bytes.length > 0) {
        cut();
        end();
      } else pass(agents);
    };
    const wait = deadline(this.#limits.waitMs, goOn);
    const entry: Waiting = { wait, goOn, end };
    const leave = (): void => {
      wait.met();
      this.#waiting.delete(entry);
      this.#crowd.delete(entry);
      socket.off('data', onData).off('end', end).off('error', end).off('close', end);
    };
    this.#waiting.add(entry);
    const longest = this.#crowd.add(entry, sourceKey(ipOf(addresses.clientAddr)));
    socket.on('data', onData).once('end', end).once('error', end).once('close', end);
    longest?.goOn();
  }

  /** Ends connections that have sent nothing yet, and all further ones. */
  close(): void {
    this.#isClosed = true;
    for (const entry of [...this.#waiting]) entry.end();
  }
}

function isUndecided(bytes: Buffer): boolean {
  return bytes.length <= MOST_BYTES && BEGINS.test(bytes.toString('latin1'));
}
