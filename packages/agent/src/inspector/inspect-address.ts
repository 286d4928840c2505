/**
 * Parses the address of the inspector's listener.
 * Invariant: other machines can never reach the address.
 */
import { type HostPort, InvalidInput, parseServer } from '../address.ts';

const USUAL: HostPort = { host: '127.0.0.1', port: 4040 };

/** `HOST:PORT` or `false`; undefined: where it is usually. Null: there is none. Throws InvalidInput. */
export function parseInspect(text: string | undefined): HostPort | null {
  if (text === undefined) return USUAL;
  if (text === 'false') return null;
  if (!/:\d+$/.test(text)) throw notValid(text);
  const { host, port } = parse(text);
  if (host === 'localhost') return { host: '127.0.0.1', port };
  if (host === '::1' || /^127\.\d+\.\d+\.\d+$/.test(host)) return { host, port };
  throw new InvalidInput(
    `The inspector shows everything that goes by, and is for this machine alone. Give --inspect 127.0.0.1:${port}, or false.`,
    'inspect',
  );
}

function parse(text: string): HostPort {
  try {
    return parseServer(text);
  } catch {
    throw notValid(text);
  }
}

function notValid(text: string): InvalidInput {
  return new InvalidInput(
    `"${text}" is no address for the inspector. Give HOST:PORT, such as 127.0.0.1:4040, or false.`,
    'inspect',
  );
}
