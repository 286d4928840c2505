/** The name of a daemon among those of its database: `--node-name`, or the host name of the machine. */
import { hostname } from 'node:os';
import { ConfigError, type Values } from './options.ts';

const LONGEST = 64;
/** Characters of the host name in a name that was not given, so that there is room for a port. */
const LONGEST_HOST = LONGEST - ':65535'.length;
const USUAL_PORT = 443;

export interface NodePlace {
  /** True if other daemons may use the database as well. */
  readonly isShared: boolean;
  /** The port of the front door. */
  readonly port: number;
}

/**
 * Returns the name, which is the same after a restart; '' if nothing needs one. Daemons of one machine have different
 * ports, so a port beside the usual one is part of the name. Throws ConfigError.
 */
export function toNodeName(values: Values, place: NodePlace, host = hostname()): string {
  const given = values.get('node-name')?.[0];
  if (given === undefined) return place.isShared ? usualName(host, place.port) : '';
  if (/^[!-~]+$/.test(given) && given.length <= LONGEST) return given;
  throw new ConfigError(
    `--node-name ${given}: must be 1 to ${LONGEST} printable ASCII characters without spaces, for example edge-1`,
  );
}

function usualName(host: string, port: number): string {
  const name = host.replace(/[^!-~]/g, '-').slice(0, LONGEST_HOST) || 'localhost';
  return port === USUAL_PORT ? name : `${name}:${port}`;
}
