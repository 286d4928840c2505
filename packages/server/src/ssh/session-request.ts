/** Parses requests in a session (RFC 4254, section 6). Pure. */
import type { Reader } from '../pki/ssh/index.ts';

/** Bytes of the name of a terminal, a command, a subsystem. */
const longestText = 4096;

export interface TerminalSize {
  readonly columns: number;
  readonly rows: number;
}

export type SessionRequest =
  | ({ readonly kind: 'terminal'; readonly name: string } & TerminalSize)
  | ({ readonly kind: 'resize' } & TerminalSize)
  | { readonly kind: 'command'; readonly command: string }
  | { readonly kind: 'signal'; readonly name: string }
  | { readonly kind: 'subsystem'; readonly name: string }
  | { readonly kind: 'shell' | 'environment' | 'x11' | 'agent' | 'unknown' };

/** Reads the bytes after the type and the reply flag. Raises WireError. */
export function readSessionRequest(type: string, reader: Reader): SessionRequest {
  switch (type) {
    case 'pty-req':
      return { kind: 'terminal', name: limited(reader), ...size(reader) };
    case 'window-change':
      return { kind: 'resize', ...size(reader) };
    case 'exec':
      return { kind: 'command', command: limited(reader) };
    case 'signal':
      return { kind: 'signal', name: limited(reader) };
    case 'subsystem':
      return { kind: 'subsystem', name: limited(reader) };
    case 'shell':
      return { kind: 'shell' };
    case 'env':
      // Read all the same: a length that is wrong ends the connection.
      reader.string();
      reader.string();
      return { kind: 'environment' };
    case 'x11-req':
      return { kind: 'x11' };
    case 'auth-agent-req@openssh.com':
      return { kind: 'agent' };
    default:
      return { kind: 'unknown' };
  }
}

function size(reader: Reader): TerminalSize {
  return { columns: reader.uint32(), rows: reader.uint32() };
}

function limited(reader: Reader): string {
  return reader.text().slice(0, longestText);
}
