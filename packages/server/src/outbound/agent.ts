/**
 * Makes the connections to targets that tenants name. Never to an address inside: each one is judged when it is dialled. What the
 * operator named needs no agent of ours.
 */
import { Agent, type RequestOptions } from 'node:https';
import { type LookupFunction, Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { Cidr } from '../core/ip/cidr.ts';
import { parseIpAddress } from '../core/ip/ip-address.ts';
import { mayDial } from '../core/ip/special-addresses.ts';
import { fairLookups } from '../system/fair-lookups.ts';
import { JudgedLookup, type Resolve, type ResolvedAddress } from '../system/judged-lookup.ts';

/** No address of the host may be dialled. The message is for the owner of the destination. */
export class InsideError extends Error {
  override readonly name = 'InsideError';
}

export interface OutboundOptions {
  /** Account that named the target. */
  readonly account: string;
  /** Special ranges that the operator opened. */
  readonly allowPrivate: readonly Cidr[];
  readonly resolve?: Resolve;
  /** Milliseconds that an idle connection is kept; default: as long as the target keeps it. */
  readonly restMs?: number;
}

/**
 * Milliseconds of rest for requests that cannot be repeated, such as the exchange of a code. A request on a
 * connection that the server has just closed gets no response. Servers keep connections for longer than this.
 */
export const BRIEF_REST_MS = 1_500;

export class OutboundAgent extends Agent {
  readonly #allowed: readonly Cidr[];
  readonly #account: string;
  readonly #lookup: JudgedLookup;

  constructor({ account, allowPrivate, resolve, restMs }: OutboundOptions) {
    // The timeout does not apply while the connection carries a request.
    super({ keepAlive: true, ...(restMs === undefined ? {} : { timeout: restMs }) });
    this.#allowed = allowPrivate;
    this.#account = account;
    this.#lookup = new JudgedLookup(resolve ?? fairLookups.resolve);
  }

  override createConnection(
    options: RequestOptions,
    done?: (error: Error | null, stream: Duplex) => void,
  ): Duplex | null | undefined {
    const host = options.host ?? '';
    let lookup: LookupFunction;
    try {
      lookup = this.#lookup.to(host, this.#account, (addresses) => this.#outside(host, addresses));
    } catch (error) {
      return new Socket().destroy(error as InsideError);
    }
    const ours = { ...options, lookup, autoSelectFamily: true, minVersion: 'TLSv1.2' as const };
    return super.createConnection(ours, done);
  }

  #outside(host: string, addresses: readonly ResolvedAddress[]): readonly ResolvedAddress[] {
    const outside = addresses.filter(({ address }) => {
      const ip = parseIpAddress(address);
      return ip !== null && mayDial(ip, this.#allowed);
    });
    if (outside.length > 0) return outside;
    throw new InsideError(
      `${host} has only addresses that are loopback, private or special in another way, and those are not dialled`,
    );
  }
}
