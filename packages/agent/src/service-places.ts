/** The addresses of the service, which connections use in turns. */
import { type HostPort, parseServers } from './address.ts';
import type { AgentOptions } from './agent-options.ts';
import { ServerAddresses } from './server-addresses.ts';
import { TlsMemory } from './tls-memory.ts';

/** A server for one connection, with what is known of it. */
export interface ServicePlace {
  readonly server: HostPort;
  readonly tls: TlsMemory;
  readonly addresses: ServerAddresses;
}

export class ServicePlaces {
  readonly #places: readonly ServicePlace[];
  #used: number;

  /** `random` returns numbers in [0, 1): agents begin at different servers. Throws InvalidInput. */
  constructor(options: Pick<AgentOptions, 'server' | 'ca' | 'caFingerprint'>, random: () => number) {
    this.#places = parseServers(options.server).map((server) => ({
      server,
      tls: new TlsMemory(options),
      addresses: new ServerAddresses({ random }),
    }));
    this.#used = Math.floor(random() * this.#places.length);
  }

  next(): ServicePlace {
    const place = this.#places[this.#used % this.#places.length]!;
    this.#used++;
    return place;
  }
}
