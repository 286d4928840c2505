/** Authorities that logins took from their servers: a private file for each server, beside the config file. */
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { parseServer } from '../address.ts';
import { writePrivateFile } from '../private-file.ts';

const FOLDER = 'authorities';

/** Returns the path of the file in the folder of the config file. `server` is `host:port` or `host`. */
export function authorityPath(configPath: string, server: string): string {
  return join(dirname(configPath), authorityName(server));
}

/** Returns the path relative to the config file. */
export function authorityName(server: string): string {
  const { host, port } = parseServer(server);
  return join(FOLDER, `${encodeURIComponent(host)}-${port}.pem`);
}

/**
 * Writes the PEM, or removes the file if there is none, and then calls `next`. If `next` throws, the file is as it was
 * before. Throws InvalidInput.
 */
export function replaceAuthority(path: string, pem: string | undefined, next: () => void): void {
  const before = existsSync(path) ? readFileSync(path, 'utf8') : undefined;
  put(path, pem);
  try {
    next();
  } catch (error) {
    put(path, before);
    throw error;
  }
}

function put(path: string, pem: string | undefined): void {
  if (pem === undefined) rmSync(path, { force: true });
  else writePrivateFile(path, pem);
}
