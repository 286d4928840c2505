/** Addresses of listeners, as options name them. */
import type { ListenAddress } from '../core/settings.ts';
import { EVERY_ADDRESS } from '../system/listen.ts';
import { ConfigError } from './options.ts';

/** `HOST:PORT`, `[v6]:PORT` or `:PORT` (every address). */
export function listenAddress(flag: string, text: string, descriptor?: number): ListenAddress {
  const match = /^(?:\[([0-9a-fA-F:.]+)\]|([^:[\]]*)):(\d{1,5})$/.exec(text);
  const port = Number(match?.[3]);
  if (match === null || port < 1 || port > 65535) {
    throw new ConfigError(
      `--${flag} ${text}: must be HOST:PORT with a port from 1 to 65535, for example 127.0.0.1:8443`,
    );
  }
  const host = match[1] ?? (match[2] || EVERY_ADDRESS);
  return descriptor === undefined ? { host, port } : { host, port, descriptor };
}

/** Refuses two listeners at one address. The system's error would blame another process, and there is none. */
export function refuseSamePlace(
  name: string,
  wanted: ListenAddress | null,
  usual: string,
  others: Readonly<Record<string, ListenAddress | null>>,
): void {
  if (wanted === null || wanted.descriptor !== undefined) return;
  for (const [flag, other] of Object.entries(others)) {
    if (other === null || other.descriptor !== undefined || other.port !== wanted.port) continue;
    const isSame = other.host === wanted.host || [other.host, wanted.host].includes(EVERY_ADDRESS);
    if (!isSame) continue;
    throw new ConfigError(
      `--${name}: port ${wanted.port} is the one of --${flag}, too; choose another for one of them, for example --${name} ${usual}`,
    );
  }
}
