/** The ports of this daemon that traffic comes in at, seen from where it dials. Never that one on another machine counts as its own. */
import { networkInterfaces } from 'node:os';
import { type Cidr, contains, parseCidr } from '../../core/cidr.ts';
import { formatIpAddress, type IpAddress, parseIpAddress } from '../../core/ip-address.ts';
import type { ListenAddress } from '../../core/settings.ts';

const LOOPBACK4 = parseCidr('127.0.0.0/8') as Cidr;
/** At these a daemon listens that listens at every address, and whoever dials them reaches the machine itself. */
const UNSPECIFIED: readonly string[] = ['0.0.0.0', '::'];

export interface OwnPortsOptions {
  /** Of the front door; ports of TCP edges are at the same host. */
  readonly listen: ListenAddress;
  readonly tcpPorts: () => ReadonlySet<number>;
}

export class OwnPorts {
  readonly #options: OwnPortsOptions;

  constructor(options: OwnPortsOptions) {
    this.#options = options;
  }

  includes(address: IpAddress, port: number): boolean {
    const { listen, tcpPorts } = this.#options;
    return (port === listen.port || tcpPorts().has(port)) && this.#isListenedAt(address);
  }

  #isListenedAt(address: IpAddress): boolean {
    const text = formatIpAddress(address);
    const host = parseIpAddress(this.#options.listen.host);
    if (UNSPECIFIED.includes(text)) return true;
    if (host !== null && !UNSPECIFIED.includes(formatIpAddress(host))) return text === formatIpAddress(host);
    // Interfaces come and go, and this is asked when a port of ours is dialled only.
    const own = Object.values(networkInterfaces()).flatMap((all) => all ?? []);
    return contains(LOOPBACK4, address) || own.some((one) => one.address === text);
  }
}
