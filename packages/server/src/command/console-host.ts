/** Parses `--console-host`. */
import { type Hostname, isFault, parseHostname } from '../core/names/hostname.ts';
import { ConfigError, type Values } from './options.ts';

/** Returns null without the option. Throws ConfigError. */
export function toConsoleHost(values: Values, domain: Hostname, baseUrl: string): Hostname | null {
  const text = values.get('console-host')?.[0];
  if (text === undefined) return null;
  const name = parseHostname(text);
  if (isFault(name))
    throw refused(
      text,
      'must be a host name of letters, digits, hyphens and dots, without a port, and no address, for example console.example.net',
    );
  if (isAtOrBelow(name, domain) || isAtOrBelow(domain, name))
    throw refused(
      text,
      `must have another domain than the pages of tunnels, which are at ${domain} and below it; give a name of another domain, or leave the option out for the console at the API`,
    );
  if (name === new URL(baseUrl).hostname)
    throw refused(text, 'is the host of --base-url; give another name, or leave the option out');
  return name;
}

function isAtOrBelow(name: Hostname, parent: Hostname): boolean {
  return name === parent || name.endsWith(`.${parent}`);
}

function refused(text: string, why: string): ConfigError {
  return new ConfigError(`--console-host ${text}: ${why}`);
}
