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
import type { OwnPorts } from './own-ports.ts';
import { DialError, SocketStream } from './socket-stream.ts';

export interface Place {
  /** A name, or an IP address as its canonical text. */
  readonly host: string;
  readonly port: number;
  readonly isTls: boolean;
  /** For a visitor of a TCP edge: nothing in its bytes would tell that they have been here before. */
  readonly fromPort?: boolean;
}

export interface DiallerOptions {
  /** Special ranges that the operator opened. */
  readonly allowPrivate: readonly Cidr[];
  /** What is not dialled for visitors of TCP edges. */
  readonly ownPorts?: Pick<OwnPorts, 'includes'>;
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
  readonly #ownPorts: Pick<OwnPorts, 'includes'>;
  readonly #limit: number;
  readonly #dialMs: number;
  readonly #resolve: NonNullable<DiallerOptions['resolve']>;
  /** Who wants the same name at the same time waits for the same answer: the system resolves few names at once. */
  readonly #resolving = new Map<string, ReturnType<NonNullable<DiallerOptions['resolve']>>>();
  #open = 0;

  constructor({ allowPrivate, ownPorts, limit, dialMs, resolve }: DiallerOptions) {
    this.#allowed = allowPrivate;
    this.#ownPorts = ownPorts ?? { includes: () => false };
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

  #connect(place: Place): Socket {
    const { host, port, isTls } = place;
    const isAddress = isIP(host) !== 0;
    // Node looks an address up nowhere, so that it has to be judged here.
    const fault = isAddress ? this.#faultOf([host], place) : null;
    if (fault !== null) return new Socket().destroy(fault);
    const lookup: LookupFunction = (_host, _options, done) => {
      this.#addresses(place).then(
        (addresses) => done(null, addresses),
        (error: NodeJS.ErrnoException) => done(error, []),
      );
    };
    const options = {
      ...{ host, port, lookup },
      ...{ autoSelectFamily: true, autoSelectFamilyAttemptTimeout: ATTEMPT_MS },
      ...{ allowHalfOpen: true, noDelay: true, keepAlive: true, keepAliveInitialDelay: KEEP_ALIVE_MS },
    };
    if (!isTls) return connectTcp(options);
    return connectTls({ ...options, minVersion: 'TLSv1.2', ...(isAddress ? {} : { servername: host }) });
  }

  async #addresses(place: Place): Promise<{ address: string; family: number }[]> {
    const { host } = place;
    let found = this.#resolving.get(host);
    if (found === undefined) {
      found = this.#resolve(host).finally(() => this.#resolving.delete(host));
      this.#resolving.set(host, found);
    }
    const all = await found;
    const fault = this.#faultOf(
      all.map(({ address }) => address),
      place,
    );
    if (fault !== null) throw fault;
    return all.filter(({ address }) => this.#judge(address, place) === null);
  }

  /** Why none of them may be dialled; null when one may be. */
  #faultOf(addresses: readonly string[], place: Place): DialError | null {
    const verdicts = addresses.map((address) => this.#judge(address, place));
    if (verdicts.includes(null)) return null;
    return new DialError(
      verdicts.includes('upstreamLeadsBack') ? 'upstreamLeadsBack' : 'upstreamAddressRefused',
    );
  }

  #judge(address: string, { port, fromPort }: Place): 'upstreamAddressRefused' | 'upstreamLeadsBack' | null {
    const ip = parseIpAddress(address);
    if (ip === null || !mayDial(ip, this.#allowed)) return 'upstreamAddressRefused';
    return fromPort === true && this.#ownPorts.includes(ip, port) ? 'upstreamLeadsBack' : null;
  }
}
