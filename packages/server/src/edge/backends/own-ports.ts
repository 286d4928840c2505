/**
 * Recognises the traffic ports of this service among dialled addresses.
 * Invariant: a port of a machine without a daemon of the service never counts as its own.
 */
import { networkInterfaces } from 'node:os';
import { type Cidr, contains, parseCidr } from '../../core/ip/cidr.ts';
import { formatIpAddress, type IpAddress, parseIpAddress } from '../../core/ip/ip-address.ts';
import type { ListenAddress } from '../../core/settings.ts';

const LOOPBACK4 = parseCidr('127.0.0.0/8') as Cidr;
/** Addresses by which a dialler reaches the machine itself. */
const UNSPECIFIED: readonly string[] = ['0.0.0.0', '::'];

export interface OwnPortsOptions {
  /** The front door. Ports of TCP edges have the same host. */
  readonly listen: ListenAddress;
  readonly tcpPorts: () => ReadonlySet<number>;
  /** Returns true if another daemon of the service listens there. `ports`: open TCP ports. */
  readonly isDoor: (address: IpAddress, port: number, ports: ReadonlySet<number>) => boolean;
}

export class OwnPorts {
  readonly #options: OwnPortsOptions;

  constructor(options: OwnPortsOptions) {
    this.#options = options;
  }

  includes(address: IpAddress, port: number): boolean {
    const { listen, tcpPorts, isDoor } = this.#options;
    const ports = tcpPorts();
    const isOwn = (port === listen.port || ports.has(port)) && this.#isListenedAt(address);
    return isOwn || isDoor(address, port, ports);
  }

  #isListenedAt(address: IpAddress): boolean {
    const text = formatIpAddress(address);
    const host = parseIpAddress(this.#options.listen.host);
    if (UNSPECIFIED.includes(text)) return true;
    if (host !== null && !UNSPECIFIED.includes(formatIpAddress(host))) return text === formatIpAddress(host);
    // Interfaces change, and this runs only when an own port number is dialled.
    const own = Object.values(networkInterfaces()).flatMap((all) => all ?? []);
    return contains(LOOPBACK4, address) || own.some((one) => one.address === text);
  }
}
