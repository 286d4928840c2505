/** Turns the forward and the command of a client into the bind that an agent would send. Pure (open points, part B 4.12). */
import { Problem } from '../../errors/problem.ts';
import type { ForwardRequest } from '../../ssh/connection.ts';
import { shown } from '../options/fields.ts';
import type { Command, CommandProtocol, FlagName } from './command.ts';

/** Values that clients send for "any address", or by default. */
const anywhere: ReadonlySet<string> = new Set(['', '*', 'localhost', '0.0.0.0', '::', '127.0.0.1', '::1']);

const loopback: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '::1']);

export function isLoopback(address: string): boolean {
  return loopback.has(address);
}

/** Returns true if only the client itself can reach the port: a loopback address with a port that is none of the service's. */
export function isReturn({ address, port }: ForwardRequest, publicPort: number): boolean {
  return isLoopback(address) && port !== 0 && !isWeb(port, publicPort);
}

/** The command of a client that gives none: the port decides. A name without a port is that of a website. */
export function impliedCommand({ address, port }: ForwardRequest, publicPort: number): Command {
  const isWebsite = isWeb(port, publicPort) || (port === 0 && isNamed({ address }));
  return { protocol: isWebsite ? 'http' : 'tcp', flags: new Map() };
}

/** True if the client names what it wants in the forward; else the name is random, or in a flag of the command. */
export function isNamed({ address }: Pick<ForwardRequest, 'address'>): boolean {
  return !anywhere.has(address);
}

function isWeb(port: number, publicPort: number): boolean {
  return port === 80 || port === 443 || port === publicPort;
}

/** The body of a Bind (agent protocol, section 5), which is checked like any other. `reserved`: the address that a client with port 0 was given, or ''. Raises Problem. */
export function toBind(
  command: Command,
  forward: ForwardRequest,
  publicPort: number,
  reserved = '',
): Record<string, unknown> {
  const name = anywhere.has(forward.address) ? '' : forward.address;
  const one = (flag: FlagName): string => command.flags.get(flag)?.[0] ?? '';
  const all = (flag: FlagName): readonly string[] => command.flags.get(flag) ?? [];
  const metadata = { Extra: { Metadata: one('metadata') } };
  const common = {
    ...(isGiven(all('cidr-allow'), all('cidr-deny'))
      ? { IPRestriction: { allow_cidrs: all('cidr-allow'), deny_cidrs: all('cidr-deny') } }
      : {}),
    ...(one('proxy-proto') === '' ? {} : { ProxyProto: proxyProtocol(one('proxy-proto')) }),
  };
  if (command.protocol === 'tcp') {
    const Addr = tcpAddress(name, forward.port, one('remote-addr')) || reserved;
    return { Proto: 'tcp', Opts: { Addr, ...common }, ...metadata };
  }
  checkPort(command.protocol, forward.port, publicPort);
  const Opts = { Domain: name, Hostname: one('hostname'), Subdomain: one('subdomain'), ...common };
  if (command.protocol === 'tls') return { Proto: 'tls', Opts, ...metadata };
  const Proto = scheme(one('schemes')) ?? (forward.port === 80 ? 'http' : 'https');
  return { Proto, Opts: { ...Opts, ...logins(all('basic-auth'), one('oauth')) }, ...metadata };
}

/** Returns the different names in the client's forward and command, for the error of such a bind. */
export function contradiction({ flags }: Command, { address, port }: ForwardRequest): Problem {
  const asFlag = (flag: 'hostname' | 'subdomain'): string => `--${flag} ${shown(flags.get(flag)?.[0] ?? '')}`;
  const [hostname, subdomain] = [asFlag('hostname'), asFlag('subdomain')];
  if (anywhere.has(address))
    return new Problem('sshHostnameContradictsSubdomain', { one: hostname, other: subdomain });
  const forward = `-R ${shown(address)}:${port}`;
  return flags.has('hostname')
    ? new Problem('sshAddressContradictsHostname', { forward, flag: hostname })
    : new Problem('sshAddressContradictsSubdomain', { forward, flag: subdomain });
}

function checkPort(protocol: Exclude<CommandProtocol, 'tcp'>, port: number, publicPort: number): void {
  const ports = [...(protocol === 'http' ? [80] : []), 443, ...(publicPort === 443 ? [] : [publicPort])];
  if (port === 0 || ports.includes(port)) return;
  throw new Problem('sshPortInvalid', { port, protocol, ports: ports.join(', ') });
}

/** '' for any that is free. */
function tcpAddress(host: string, port: number, flag: string): string {
  if (host === '' && port !== 0) throw new Problem('sshTcpPortAlone', { port });
  if (host !== '' && port === 0) throw new Problem('sshTcpAddressWithoutPort', { address: shown(host) });
  const forwarded = host === '' ? '' : `${host}:${port}`;
  if (flag !== '' && forwarded !== '' && flag !== forwarded) {
    const given = { forward: `-R ${shown(forwarded)}`, flag: `--remote-addr ${shown(flag)}` };
    throw new Problem('sshAddressContradictsRemoteAddr', given);
  }
  return flag === '' ? forwarded : flag;
}

function scheme(given: string): 'http' | 'https' | null {
  if (given === '') return null;
  if (given === 'http' || given === 'https') return given;
  throw new Problem('sshFlagMalformed', { flag: '--schemes', argument: 'http or https' });
}

function proxyProtocol(given: string): number {
  if (given === '1' || given === '2') return Number(given);
  throw new Problem('sshProxyProtocolUnknown', { value: shown(given) });
}

function logins(basic: readonly string[], oauth: string): Record<string, unknown> {
  const credentials = basic.map((pair) => {
    const colon = pair.indexOf(':');
    if (colon < 1) throw new Problem('sshFlagMalformed', { flag: '--basic-auth', argument: 'USER:PASSWORD' });
    return { username: pair.slice(0, colon), cleartext_password: pair.slice(colon + 1) };
  });
  return {
    ...(credentials.length === 0 ? {} : { BasicAuth: { credentials } }),
    ...(oauth === '' ? {} : { OAuth: { provider: oauth } }),
  };
}

function isGiven(...lists: readonly (readonly string[])[]): boolean {
  return lists.some(({ length }) => length > 0);
}
