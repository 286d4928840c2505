/** Checks the DNS addresses of the server's name. */
import type { LookupAddress } from 'node:dns';
import { lookup } from 'node:dns/promises';
import { isIP } from 'node:net';
import { routeTo } from '@underpass/client/loopback';
import { codeOf, reasonOf } from '../reason.ts';
import { type Finding, failed, ok, type Target } from './finding.ts';

/** Resolves like the agent. Rejects with the resolver's error. */
export async function addressesOf(host: string): Promise<readonly string[]> {
  const { lookup: own } = routeTo(host, 0);
  if (own === undefined) return (await lookup(host, { all: true })).map(({ address }) => address);
  return await new Promise((resolve, reject) => {
    own(host, { all: true }, (error, addresses: string | LookupAddress[]) => {
      if (error !== null) reject(error);
      else resolve(typeof addresses === 'string' ? [addresses] : addresses.map(({ address }) => address));
    });
  });
}

export async function lookAtDns({ server: { host } }: Target): Promise<Finding> {
  if (isIP(host) !== 0) return ok(`${host} is an address, and needs no DNS`);
  try {
    const addresses = await addressesOf(host);
    const asked = routeTo(host, 0).lookup === undefined ? 'is' : 'is this machine without DNS:';
    return ok(`${host} ${asked} ${addresses.join(', ')}`);
  } catch (error) {
    const remedy =
      codeOf(error) === 'ENOTFOUND'
        ? 'Check how --server is spelled, and that its DNS has an A or AAAA record for the name.'
        : "Check this machine's network and its name servers (/etc/resolv.conf).";
    return failed(`${host}: ${reasonOf(error)}`, remedy);
  }
}
