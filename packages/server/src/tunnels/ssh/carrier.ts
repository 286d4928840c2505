/** An SSH connection as what carries a tunnel: a channel for each connection of a visitor. */
import type { ProxyHeader } from '@underpass/wire';
import { ipOf } from '../../core/ip/client-address.ts';
import type { Problem } from '../../errors/problem.ts';
import type { ByteStream } from '../../online/online.ts';
import type { Refusal } from '../../online/refusal.ts';
import type { ForwardRequest } from '../../ssh/connection.ts';
import type { ServerConnection } from '../../ssh/server-connection.ts';
import type { Carrier, StoppedTunnel } from '../carrier.ts';

export interface SshCarrierParts {
  readonly connection: Pick<ServerConnection, 'open' | 'isSilent'>;
  /** The client's forward request, with the port of the response; null before the request. */
  readonly forward: () => ForwardRequest | null;
  /** The client has one tunnel, and ends with it. */
  readonly stopped: (reason: Problem) => void;
  /** A visitor was refused. */
  readonly refused: (make: () => Refusal) => void;
}

export class SshCarrier implements Carrier {
  /** A client knows what it forwards before it is answered. */
  readonly registerMs = 0;
  /** A channel that leads nowhere is not opened. */
  readonly hidesDials = false;
  readonly wantsRefusals = true;
  readonly wantsVisits = true;
  readonly #parts: SshCarrierParts;

  constructor(parts: SshCarrierParts) {
    this.#parts = parts;
  }

  get isSuspect(): boolean {
    return this.#parts.connection.isSilent;
  }

  expectAnswer(): void {}

  open({ ClientAddr }: ProxyHeader): ByteStream | null {
    const forward = this.#parts.forward();
    if (forward === null) return null;
    const port = Number(ClientAddr.slice(ClientAddr.lastIndexOf(':') + 1));
    return this.#parts.connection.open(forward, { address: ipOf(ClientAddr), port });
  }

  refused(_bindId: string, make: () => Refusal): void {
    this.#parts.refused(make);
  }

  stop(_tunnel: StoppedTunnel, reason: Problem): void {
    this.#parts.stopped(reason);
  }
}
