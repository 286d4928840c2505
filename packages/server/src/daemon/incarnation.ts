/** The incarnation of the daemon on a data dir, for the next process there. It ends the one before it in the directory. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Logger } from 'pino';
import { ensureFile } from '../system/files.ts';

const FILE = 'incarnation';

/** Returns null if there is none that can be read. */
export function previousIncarnation(dataDir: string): number | null {
  try {
    const number = Number(readFileSync(join(dataDir, FILE), 'utf8'));
    return Number.isSafeInteger(number) && number > 0 ? number : null;
  } catch {
    return null;
  }
}

/** The next process needs the file. Otherwise the names of this one are held until others declare it dead. */
export function noteIncarnation(dataDir: string, incarnation: number, log: Logger): void {
  ensureFile(join(dataDir, FILE), `${incarnation}\n`, 0o600).catch((error: unknown) =>
    log.warn({ err: error }, 'the incarnation of this daemon cannot be written to the data dir'),
  );
}
