/** The options of links between the daemons of one database. */
import { isIP } from 'node:net';
import type { ListenAddress } from '../core/settings.ts';
import type { Database } from '../store/databases/database.ts';
import { listenAddress } from './listen-address.ts';
import { ConfigError, type Values } from './options.ts';

export interface LinkOptions {
  /** The listener for daemons on other machines; null: none. */
  readonly listen: ListenAddress | null;
  /** Its address for them, `HOST:PORT`; null: that of the listener. */
  readonly address: string | null;
}

export interface DaemonsOf {
  readonly database: Database;
  readonly isAlone: boolean;
}

/** Throws ConfigError. */
export function toLinkOptions(values: Values, daemons: DaemonsOf): LinkOptions {
  const text = values.get('link-listen')?.[0];
  const address = values.get('link-address')?.[0] ?? null;
  if (text === undefined) {
    if (address === null) return { listen: null, address };
    throw new ConfigError(
      `--link-address ${address}: is the address of --link-listen, which is not given; give both, or neither`,
    );
  }
  const listen = listenAddress('link-listen', text);
  refuseWithoutOthers(text, daemons);
  if (address !== null) refuseUnreachable(address);
  else if (isEvery(listen.host))
    throw new ConfigError(
      `--link-listen ${text}: names every address, and other daemons need one to connect to; add --link-address HOST:PORT with an address of this machine, for example --link-address 10.0.0.5:${listen.port}`,
    );
  return { listen, address };
}

function refuseWithoutOthers(text: string, { database, isAlone }: DaemonsOf): void {
  if (database.kind === 'sqlite')
    throw new ConfigError(
      `--link-listen ${text}: links are between daemons of one PostgreSQL database, and SQLite has one daemon; remove it, or give --database postgres://… ("underpassd copy" brings the data there)`,
    );
  if (isAlone)
    throw new ConfigError(
      `--link-listen ${text}: links are to other daemons, and --alone states that there is none; remove one of the two`,
    );
}

function refuseUnreachable(text: string): void {
  const [, six, host, digits] = /^(?:\[([0-9a-fA-F:.]+)\]|([^:[\]\s]+)):(\d{1,5})$/.exec(text) ?? [];
  const port = Number(digits);
  const isAddress = six === undefined || isIP(six) === 6;
  if (port >= 1 && port <= 65535 && isAddress && !isEvery(six ?? host ?? '')) return;
  throw new ConfigError(
    `--link-address ${text}: must be HOST:PORT that other daemons can connect to, for example 10.0.0.5:8444`,
  );
}

/** True for `::`, `0.0.0.0` and their other spellings. */
const isEvery = (host: string): boolean => isIP(host) !== 0 && /^[0:.]+$/.test(host);
