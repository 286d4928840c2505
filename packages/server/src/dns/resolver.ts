/**
 * What DNS says of a name, asked of the servers that the operator chose. Never that a server which did not answer looks like a name that
 * has no record.
 */
import { Resolver } from 'node:dns/promises';
import { formatIpAddress, parseIpAddress } from '../core/ip-address.ts';

/** How long a server may take for an answer, in milliseconds; it is asked once more, and then has longer. */
const tryMs = 2000;
const tries = 2;

/** Nobody could say what the record is: it may be asked for again later. */
export class LookupError extends Error {
  override readonly name = 'LookupError';
  /** As c-ares names it: `ESERVFAIL`, `ETIMEOUT`, `ECONNREFUSED` … */
  readonly code: string;

  constructor(hostname: string, type: string, cause: NodeJS.ErrnoException) {
    const code = cause.code ?? 'UNKNOWN';
    super(`no name server could say what the ${type} records of ${hostname} are (${code})`, { cause });
    this.code = code;
  }
}

/** Answers are empty where there is no such name or record; a method rejects with LookupError when nobody knows. */
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

  /** `servers`: `IP:PORT`, in the order in which they are asked; none for those of the system. */
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
