/** What SQLite's result codes mean to us. Source: sqlite.org/rescode.html. */

const BUSY = 5;
const IO_ERROR = 10;
const CORRUPT = 11;
const FULL = 13;
const NOT_A_DATABASE = 26;

/** The primary result code of an error that SQLite raised, or undefined for any other error. */
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

/** The disk, or a limit of the file. */
export function isFull(error: unknown): boolean {
  return resultCode(error) === FULL;
}

export function isInputOutputError(error: unknown): boolean {
  return resultCode(error) === IO_ERROR;
}

/** SQLite's own words, e.g. `database or disk is full`. */
export function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
