/** Paths of local sockets, by the rules of the system: unix sockets, and named pipes on Windows. */
import { posix, win32 } from 'node:path';

/** A path that can be dialled, or a fault: what is wrong, then what to do. */
export type SocketPathResult =
  | { readonly path: string; readonly fault?: undefined }
  | { readonly path?: undefined; readonly fault: string };

/** The system's limits without the NUL at the end. */
const PATH_BYTES = 107;
const MAC_PATH_BYTES = 103;
const PIPE_CHARACTERS = 256;

const PIPE = /^[\\/]{2}[.?][\\/]pipe[\\/]./i;

/** `given` is relative to the folder `from`. */
export function socketPathIn(given: string, from: string, platform: NodeJS.Platform): SocketPathResult {
  return platform === 'win32' ? pipeIn(given) : unixPathIn(given, from, platform);
}

function unixPathIn(given: string, from: string, platform: NodeJS.Platform): SocketPathResult {
  const path = posix.resolve(from, given);
  if (given === '' || /\p{Cc}/u.test(given) || given.endsWith('/'))
    return { fault: `"unix:${given}" is not the path of a socket. Give unix:/path/to.sock.` };
  const limit = platform === 'darwin' ? MAC_PATH_BYTES : PATH_BYTES;
  if (Buffer.byteLength(path) > limit)
    return { fault: `The path of the socket ${path} has more than ${limit} bytes. Give a shorter one.` };
  return { path };
}

/** Node reaches no unix socket on Windows, so any other path is refused. */
function pipeIn(given: string): SocketPathResult {
  if (!PIPE.test(given) || /\p{Cc}/u.test(given))
    return {
      fault: `"unix:${given}" is not the path of a named pipe, which Windows has in place of unix sockets. Give unix:\\\\.\\pipe\\NAME.`,
    };
  const path = win32.normalize(given);
  if (path.length > PIPE_CHARACTERS)
    return {
      fault: `The path of the pipe ${path} has more than ${PIPE_CHARACTERS} characters. Give a shorter one.`,
    };
  return { path };
}
