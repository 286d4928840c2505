/** The ports that an SSH client forwards in one connection: one for its tunnel, and loopback ports that lead back to the client. */
import type { ForwardRequest } from '../../ssh/connection.ts';
import type { ReservedAddress } from '../session-tunnels.ts';
import { isLoopback } from './forward.ts';

/** `autossh -M` uses one. */
export const mostReturns = 4;

export type ForwardResponse = (port: number | null) => void;

/** Decision about a forward before the client has named its protocol. */
export interface Judgement {
  /** Port for the client; null: no response before the bind, because the name would be refused. */
  readonly port: number | null;
  /** The TCP port that the client is given in its response; null: none. */
  readonly reserved: ReservedAddress | null;
}

export interface TunnelForward extends Judgement {
  readonly request: ForwardRequest;
  /** The forward as the client knows it from the response. */
  readonly known: ForwardRequest;
  readonly respond: ForwardResponse;
}

interface ReturnForward {
  readonly request: ForwardRequest;
  readonly respond: ForwardResponse;
}

export class Forwards {
  #tunnel: TunnelForward | null = null;
  readonly #returns: ReturnForward[] = [];

  get tunnel(): TunnelForward | null {
    return this.#tunnel;
  }

  /** The forward that is bound. A loopback port that came alone was meant for the tunnel. */
  get wanted(): TunnelForward | null {
    const [first] = this.#returns;
    if (this.#tunnel !== null || first === undefined) return this.#tunnel;
    return { ...first, known: first.request, port: null, reserved: null };
  }

  /** Ports that lead back to the client. */
  get returns(): readonly number[] {
    return this.#returns.map(({ request }) => request.port);
  }

  /** Responds at once if the forward can be judged. */
  setTunnel(request: ForwardRequest, respond: ForwardResponse, judgement: Judgement): void {
    const { port } = judgement;
    const respondOnce = once(respond);
    this.#tunnel = {
      ...judgement,
      request,
      known: { ...request, port: port ?? request.port },
      respond: respondOnce,
    };
    if (port === null) return;
    for (const one of this.#returns) one.respond(one.request.port);
    respondOnce(port);
  }

  /** False: the client has too many. Responds as soon as it is known that the tunnel has a port of its own. */
  addReturn(request: ForwardRequest, respond: ForwardResponse): boolean {
    if (this.#returns.length >= mostReturns) return false;
    const respondOnce = once(respond);
    this.#returns.push({ request, respond: respondOnce });
    if (this.#tunnel !== null && this.#tunnel.port !== null) respondOnce(request.port);
    return true;
  }

  /** Forgets a loopback port. False: there is no such forward. */
  removeReturn(request: ForwardRequest): boolean {
    const at = this.#returns.findIndex((one) => isSame(one.request, request));
    const [removed] = at === -1 ? [] : this.#returns.splice(at, 1);
    removed?.respond(null);
    return removed !== undefined;
  }

  isTunnel(request: ForwardRequest): boolean {
    return this.#tunnel !== null && isSame(this.#tunnel.known, request);
  }

  /** Forgets the forward of the tunnel, and gives its port back. */
  removeTunnel(): void {
    this.#tunnel?.respond(null);
    this.#tunnel?.reserved?.release();
    this.#tunnel = null;
  }

  /** The loopback port that a connection of the client to `target` comes back to. */
  leadsBack({ address, port }: ForwardRequest): ForwardRequest | null {
    if (!isLoopback(address)) return null;
    return this.#returns.find(({ request }) => request.port === port)?.request ?? null;
  }

  /** Refuses what has no response yet. */
  refuseAll(): void {
    for (const { respond } of this.#returns) respond(null);
    this.#tunnel?.respond(null);
  }
}

function isSame(one: ForwardRequest, other: ForwardRequest): boolean {
  return one.address === other.address && one.port === other.port;
}

function once(respond: ForwardResponse): ForwardResponse {
  let isDone = false;
  return (port) => {
    if (!isDone) respond(port);
    isDone = true;
  };
}
