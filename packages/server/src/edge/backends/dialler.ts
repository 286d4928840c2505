/**
 * Connects to the addresses of static backends.
 * Invariant: an address is checked at each connection, and exactly the checked address is dialled. So a name with
 * changing addresses cannot avoid the check.
 */
import { isIP, type LookupFunction, Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { asUpstream } from '@underpass/wire';
import type { Cidr } from '../../core/ip/cidr.ts';
import { parseIpAddress } from '../../core/ip/ip-address.ts';
import { mayDial } from '../../core/ip/special-addresses.ts';
import { fairLookups } from '../../system/fair-lookups.ts';
import { JudgedLookup, type Resolve, type ResolvedAddress } from '../../system/judged-lookup.ts';
import type { ByteStream } from '../sites/site.ts';
import type { OwnPorts } from './own-ports.ts';
import { DialError, SocketStream } from './socket-stream.ts';

export interface Place {
  /** A name, or an IP address as its canonical text. */
  readonly host: string;
  readonly port: number;
  readonly isTls: boolean;
  /** The account that configured it. */
  readonly account: string;
  /** True for a visitor of a TCP edge, whose bytes cannot reveal a loop. */
  readonly fromPort?: boolean;
}

export interface DiallerOptions {
  /** Special ranges that the operator opened. */
  readonly allowPrivate: readonly Cidr[];
  /** Ports that are not dialled for visitors of TCP edges. */
  readonly ownPorts?: Pick<OwnPorts, 'includes'>;
  /** Number of open connections. */
  readonly limit?: number;
  readonly dialMs?: number;
  /** Milliseconds that one address of several may take before the next one is tried, too. */
  readonly attemptMs?: number;
  readonly resolve?: Resolve;
}

const DIAL_MS = 10_000;
const ATTEMPT_MS = 1_000;
const KEEP_ALIVE_MS = 30_000;

export class Dialler {
  readonly #allowed: readonly Cidr[];
  readonly #ownPorts: Pick<OwnPorts, 'includes'>;
  readonly #limit: number;
  readonly #dialMs: number;
  readonly #attemptMs: number;
  readonly #lookup: JudgedLookup;
  #open = 0;

  constructor({ allowPrivate, ownPorts, limit, dialMs, attemptMs, resolve }: DiallerOptions) {
    this.#allowed = allowPrivate;
    this.#ownPorts = ownPorts ?? { includes: () => false };
    this.#limit = limit ?? Number.POSITIVE_INFINITY;
    this.#dialMs = dialMs ?? DIAL_MS;
    this.#attemptMs = attemptMs ?? ATTEMPT_MS;
    this.#lookup = new JudgedLookup(resolve ?? fairLookups.resolve);
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

  /** Returns the reason why an address is never dialled; null for a name, whose addresses are not known here. */
  refusalOf(place: Place): 'upstreamAddressRefused' | 'upstreamLeadsBack' | null {
    return isIP(place.host) === 0 ? null : this.#judge(place.host, place);
  }

  #connect(place: Place): Socket {
    const { host, port, isTls } = place;
    let lookup: LookupFunction;
    try {
      lookup = this.#lookup.to(host, place.account, (addresses) => this.#allowedOf(addresses, place));
    } catch (error) {
      return new Socket().destroy(error as DialError);
    }
    const options = {
      ...{ host, port, lookup },
      ...{ autoSelectFamily: true, autoSelectFamilyAttemptTimeout: this.#attemptMs },
      ...{ allowHalfOpen: true, noDelay: true, keepAlive: true, keepAliveInitialDelay: KEEP_ALIVE_MS },
    };
    if (!isTls) return asUpstream(new Socket(options).connect(options));
    return asUpstream(
      connectTls({
        ...options,
        minVersion: 'TLSv1.2',
        ...(isIP(host) === 0 ? { servername: host } : {}),
      }),
    );
  }

  #allowedOf(addresses: readonly ResolvedAddress[], place: Place): readonly ResolvedAddress[] {
    const verdicts = addresses.map(({ address }) => this.#judge(address, place));
    if (verdicts.includes(null)) return addresses.filter((_, at) => verdicts[at] === null);
    throw new DialError(
      verdicts.includes('upstreamLeadsBack') ? 'upstreamLeadsBack' : 'upstreamAddressRefused',
    );
  }

  #judge(address: string, { port, fromPort }: Place): 'upstreamAddressRefused' | 'upstreamLeadsBack' | null {
    const ip = parseIpAddress(address);
    if (ip === null || !mayDial(ip, this.#allowed)) return 'upstreamAddressRefused';
    return fromPort === true && this.#ownPorts.includes(ip, port) ? 'upstreamLeadsBack' : null;
  }
}
