/**
 * DNS lookups at the servers of the operator.
 * Invariant: a server without a response is not the same as a name without a record.
 */
import { Resolver } from 'node:dns/promises';
import { formatIpAddress, parseIpAddress } from '../core/ip/ip-address.ts';

/** Milliseconds for the first attempt of a server; the second one has longer. */
const tryMs = 2000;
const tries = 2;

/** No server knows the record: retry later. */
export class LookupError extends Error {
  override readonly name = 'LookupError';
  /** Code of c-ares: `ESERVFAIL`, `ETIMEOUT`, `ECONNREFUSED` … */
  readonly code: string;

  constructor(hostname: string, type: string, cause: NodeJS.ErrnoException) {
    const code = cause.code ?? 'UNKNOWN';
    super(`no name server returned the ${type} records of ${hostname} (${code})`, { cause });
    this.code = code;
  }
}

/** Results are empty if there is no such name or record. A method rejects with LookupError if no server knows. */
export interface NameLookup {
  /** Lower case, without a trailing dot; null for none. */
  canonicalName(hostname: string): Promise<string | null>;
  /** A and AAAA, in their canonical form, through all aliases. */
  addresses(hostname: string): Promise<readonly string[]>;
  /** Each with its strings joined, through all aliases. */
  texts(hostname: string): Promise<readonly string[]>;
}

export class DnsResolver implements NameLookup {
  readonly #resolver = new Resolver({ timeout: tryMs, tries });

  /** `servers`: `IP:PORT`, in the order of their use; none for those of the system. */
  constructor(servers: readonly string[] = []) {
    if (servers.length > 0) this.#resolver.setServers(servers);
  }

  async canonicalName(hostname: string): Promise<string | null> {
    const [name] = await answers(hostname, 'CNAME', this.#resolver.resolveCname(hostname));
    return name?.toLowerCase().replace(/\.$/, '') ?? null;
  }

  async addresses(hostname: string): Promise<readonly string[]> {
    const found = await Promise.all([
      answers(hostname, 'A', this.#resolver.resolve4(hostname)),
      answers(hostname, 'AAAA', this.#resolver.resolve6(hostname)),
    ]);
    return found.flat().map(canonical);
  }

  async texts(hostname: string): Promise<readonly string[]> {
    const records = await answers(hostname, 'TXT', this.#resolver.resolveTxt(hostname));
    return records.map((strings) => strings.join(''));
  }
}

function canonical(address: string): string {
  const parsed = parseIpAddress(address);
  return parsed === null ? address : formatIpAddress(parsed);
}

async function answers<Answer>(
  hostname: string,
  type: string,
  asked: Promise<readonly Answer[]>,
): Promise<readonly Answer[]> {
  try {
    return await asked;
  } catch (error) {
    const cause = error as NodeJS.ErrnoException;
    // No such name, or no such record of it.
    if (cause.code === 'ENOTFOUND' || cause.code === 'ENODATA') return [];
    throw new LookupError(hostname, type, cause);
  }
}
