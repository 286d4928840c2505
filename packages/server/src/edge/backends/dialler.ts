/**
 * Connects to the addresses of static backends. Never to one that may not be dialled: it is judged at each connection, and what was
 * judged is what is dialled, so that a name which leads elsewhere the next time gains nothing by it.
 */
import { lookup } from 'node:dns/promises';
import { connect as connectTcp, isIP, type LookupFunction, Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import type { Cidr } from '../../core/cidr.ts';
import { parseIpAddress } from '../../core/ip-address.ts';
import { mayDial } from '../../core/special-addresses.ts';
import type { ByteStream } from '../sites/site.ts';
import { DialError, SocketStream } from './socket-stream.ts';

export interface Place {
  /** A name, or an IP address as its canonical text. */
  readonly host: string;
  readonly port: number;
  readonly isTls: boolean;
}

export interface DiallerOptions {
  /** Special ranges that the operator opened. */
  readonly allowPrivate: readonly Cidr[];
  /** How many connections may be open together. */
  readonly limit?: number;
  readonly dialMs?: number;
  /** All addresses of a name. */
  readonly resolve?: (
    host: string,
  ) => Promise<readonly { readonly address: string; readonly family: number }[]>;
}

const DIAL_MS = 10_000;
/** How long one address of several may take before the next one is tried, too. */
const ATTEMPT_MS = 1_000;
const KEEP_ALIVE_MS = 30_000;

export class Dialler {
  readonly #allowed: readonly Cidr[];
  readonly #limit: number;
  readonly #dialMs: number;
  readonly #resolve: NonNullable<DiallerOptions['resolve']>;
  /** Who wants the same name at the same time waits for the same answer: the system resolves few names at once. */
  readonly #resolving = new Map<string, ReturnType<NonNullable<DiallerOptions['resolve']>>>();
  #open = 0;

  constructor({ allowPrivate, limit, dialMs, resolve }: DiallerOptions) {
    this.#allowed = allowPrivate;
    this.#limit = limit ?? Number.POSITIVE_INFINITY;
    this.#dialMs = dialMs ?? DIAL_MS;
    this.#resolve = resolve ?? ((host) => lookup(host, { all: true }));
  }

  /** Null: no more can be open. */
  dial(place: Place): ByteStream | null {
    if (this.#open >= this.#limit) return null;
    const socket = this.#connect(place);
    this.#open += 1;
    const released = (): void => {
      this.#open -= 1;
    };
    return new SocketStream({ socket, isTls: place.isTls, dialMs: this.#dialMs, released });
  }

  #connect({ host, port, isTls }: Place): Socket {
    const isAddress = isIP(host) !== 0;
    // Node looks an address up nowhere, so that it has to be judged here.
    if (isAddress && !this.#mayDial(host)) return new Socket().destroy(refusal());
    const options = {
      ...{ host, port, lookup: this.#lookup },
      ...{ autoSelectFamily: true, autoSelectFamilyAttemptTimeout: ATTEMPT_MS },
      ...{ allowHalfOpen: true, noDelay: true, keepAlive: true, keepAliveInitialDelay: KEEP_ALIVE_MS },
    };
    if (!isTls) return connectTcp(options);
    return connectTls({ ...options, minVersion: 'TLSv1.2', ...(isAddress ? {} : { servername: host }) });
  }

  readonly #lookup: LookupFunction = (host, _options, done) => {
    this.#addresses(host).then(
      (addresses) => done(null, addresses),
      (error: NodeJS.ErrnoException) => done(error, []),
    );
  };

  async #addresses(host: string): Promise<{ address: string; family: number }[]> {
    let found = this.#resolving.get(host);
    if (found === undefined) {
      found = this.#resolve(host).finally(() => this.#resolving.delete(host));
      this.#resolving.set(host, found);
    }
    const allowed = (await found).filter(({ address }) => this.#mayDial(address));
    if (allowed.length === 0) throw refusal();
    return allowed;
  }

  #mayDial(address: string): boolean {
    const ip = parseIpAddress(address);
    return ip !== null && mayDial(ip, this.#allowed);
  }
}

function refusal(): DialError {
  return new DialError('upstreamAddressRefused');
}
