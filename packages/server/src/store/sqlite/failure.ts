/** Classifies SQLite's result codes. Source: sqlite.org/rescode.html. */

const BUSY = 5;
const IO_ERROR = 10;
const CORRUPT = 11;
const FULL = 13;
const NOT_A_DATABASE = 26;

/** Returns the primary result code of SQLite's error; undefined for any other error. */
function resultCode(error: unknown): number | undefined {
  if (!(error instanceof Error) || !('errcode' in error) || typeof error.errcode !== 'number')
    return undefined;
  return error.errcode & 0xff;
}

export function isDamage(error: unknown): boolean {
  const code = resultCode(error);
  return code === CORRUPT || code === NOT_A_DATABASE;
}

export function isBusy(error: unknown): boolean {
  return resultCode(error) === BUSY;
}

/** Returns true if the disk is full, or the file has reached a limit. */
export function isFull(error: unknown): boolean {
  return resultCode(error) === FULL;
}

export function isInputOutputError(error: unknown): boolean {
  return resultCode(error) === IO_ERROR;
}

/** Returns SQLite's message, e.g. `database or disk is full`. */
export function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
