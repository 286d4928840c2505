/** Errors of streams and calls. */
import { ErrorCode } from './codes.ts';

/** The failure of a stream or a call. `code` is its reason (agent protocol, section 2). */
export class WireError extends Error {
  readonly code: ErrorCode;

  constructor(code: ErrorCode, message: string) {
    super(message);
    this.name = 'WireError';
    this.code = code;
  }
}

/** The code's name, for messages. */
function codeName(code: ErrorCode): string {
  for (const [name, value] of Object.entries(ErrorCode)) if (value === code) return name;
  return String(code);
}

/** Returns the Error for a stream's close code. */
export function streamError(code: ErrorCode): WireError {
  return new WireError(code, `the stream was closed: ${codeName(code)}`);
}
