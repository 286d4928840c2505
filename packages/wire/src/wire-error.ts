/** How streams and calls fail. */
import { ErrorCode } from './codes.ts';

/** A stream or a call that failed; `code` says how (agent protocol, section 2). */
export class WireError extends Error {
  readonly code: ErrorCode;

  constructor(code: ErrorCode, message: string) {
    super(message);
    this.name = 'WireError';
    this.code = code;
  }
}

/** The code's name, for messages that people read. */
function codeName(code: ErrorCode): string {
  for (const [name, value] of Object.entries(ErrorCode)) if (value === code) return name;
  return String(code);
}

/** The error that stands for a stream's close code where an Error is wanted. */
export function streamError(code: ErrorCode): WireError {
  return new WireError(code, `the stream was closed: ${codeName(code)}`);
}
