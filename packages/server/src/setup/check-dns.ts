/** Looks up the names of a service, and states the records that are missing. A finding is a warning. */
import { randomBytes } from 'node:crypto';
import { promises as dns } from 'node:dns';
import type { Answers } from './answers.ts';

/** Returns the addresses of a name; none if it has none. */
export type Lookup = (name: string) => Promise<readonly string[]>;

/** `servers`: `IP:PORT` of name servers; none: names are resolved as other programs of the machine do. */
export function lookupBy(servers: readonly string[]): Lookup {
  if (servers.length === 0)
    return async (name) => {
      const found = await dns.lookup(name, { all: true }).catch(() => []);
      return found.map(({ address }) => address);
    };
  const resolver = new dns.Resolver({ timeout: 2000, tries: 2 });
  resolver.setServers(servers);
  return async (name) => {
    const none = (): string[] => [];
    const found = await Promise.all([
      resolver.resolve4(name).catch(none),
      resolver.resolve6(name).catch(none),
    ]);
    return found.flat();
  };
}

/** Returns lines for the operator; none if all names lead here. */
export async function checkDns(
  { domain, acme, listeners }: Pick<Answers, 'domain' | 'acme' | 'listeners'>,
  addresses: readonly string[],
  lookup: Lookup,
): Promise<readonly string[]> {
  // Names below it mean the same machine, by definition (RFC 6761).
  if (/(^|\.)localhost$/.test(domain)) return [];
  const some = `${randomBytes(4).toString('hex')}.${domain}`;
  const names = [`connect.${domain}`, `api.${domain}`, some];
  const found = await Promise.all(names.map(async (name) => faultOf(name, await lookup(name), addresses)));
  const faults = found.filter((fault) => fault !== null);
  if (faults.length === 0) return [];
  const hasZone = acme !== null && listeners['dns-listen'] !== null;
  const records = recordsFor(domain, addresses[0] ?? 'ADDRESS', hasZone);
  return [
    ...faults.map((fault) => `Warning: ${fault}`),
    'Create these records. If another machine passes connections on to this one, use its address:',
    ...records.map((record) => `  ${record}`),
  ];
}

function faultOf(name: string, found: readonly string[], addresses: readonly string[]): string | null {
  if (found.length === 0) return `${name} does not resolve.`;
  if (found.some((address) => addresses.includes(address))) return null;
  return `${name} leads to ${found.join(', ')}, which is no address of this machine.`;
}

/** Returns the records of a domain, as lines of a zone file. */
export function recordsFor(domain: string, address: string, hasZone: boolean): readonly string[] {
  const type = address.includes(':') ? 'AAAA' : 'A';
  const records = [
    [`${domain}.`, type, address],
    [`*.${domain}.`, type, address],
    ...(hasZone
      ? [
          [`acme.${domain}.`, 'NS', `connect.${domain}.`],
          [`_acme-challenge.${domain}.`, 'CNAME', `service.acme.${domain}.`],
        ]
      : []),
  ];
  const width = Math.max(...records.map(([name = '']) => name.length));
  return records.map(([name = '', kind = '', value]) => `${name.padEnd(width)}  ${kind.padEnd(5)}  ${value}`);
}
