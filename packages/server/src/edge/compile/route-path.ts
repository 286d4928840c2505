/**
 * A request's path in the forms in which upstreams may read it, to choose a route by (open points, decision 11). Never that a
 * path goes on by one route which an upstream could take for a path of another.
 *
 * Upstreams decode, merge slashes, drop parameters and resolve dots, or leave some of that, in different orders. The plain
 * reading is that of RFC 3986; the loose one does all that any known server does. A path goes on as it came.
 */

export interface Readings {
  /** Dot segments resolved, then percent-decoded but for slashes, without empty segments. */
  readonly plain: string;
  /** Encoded slashes and backslashes taken for slashes, parameters dropped, empty segments dropped, then dots resolved. */
  readonly loose: string;
}

/** What the two readings treat otherwise than as it stands. */
const SPECIAL = /[%;\\]|\/\/|\/\./;
const ENCODED = /%([0-9a-fA-F]{2})/g;
const SLASHES = /%2f|%5c|\\/gi;
const PARAMETERS = /(?:;|%3b)[^/]*/gi;
/** By how many they are. */
const dots: readonly string[] = ['', '.', '..'];
const NO_DOTS = -1;
const ENCODED_DOTS = '%2e%2e'.length;

/** `path` as it stands in the request, one character a byte, from the slash to before the query. Null: it has a NUL. */
export function readingsOf(path: string): Readings | null {
  if (!SPECIAL.test(path) && isAscii(path)) return { plain: path, loose: path };
  if (/%00/.test(path)) return null;
  return { plain: plainReading(path), loose: looseReading(path) };
}

function plainReading(path: string): string {
  return decode(join(resolve(path.split('/').slice(1), dotsOf)));
}

function looseReading(path: string): string {
  const segments = decode(path.replace(SLASHES, '/').replace(PARAMETERS, '')).split('/').slice(1);
  const isDirectory = segments.at(-1) === '';
  const kept = segments.filter((segment) => segment !== '');
  return join(resolve(isDirectory ? [...kept, ''] : kept, (segment) => dots.indexOf(segment)));
}

/** Whether a segment is as many dots, encoded or not; else something else. Asked of each of thousands that a visitor may send. */
function dotsOf(segment: string): number {
  if (segment.length > ENCODED_DOTS || (segment[0] !== '.' && segment[0] !== '%')) return NO_DOTS;
  return dots.indexOf(segment.replace(/%2e/gi, '.'));
}

/** RFC 3986, section 5.2.4. A last segment of dots leaves the directory that it names. */
function resolve(segments: readonly string[], dotsIn: (segment: string) => number): string[] {
  const resolved: string[] = [];
  for (let at = 0; at < segments.length; at++) {
    const segment = segments[at]!;
    const count = dotsIn(segment);
    if (count === 2) resolved.pop();
    if (count < 1) resolved.push(segment);
    else if (at === segments.length - 1) resolved.push('');
  }
  return resolved;
}

/** Without empty segments, but for the last one, which says that the path ends with a slash. */
function join(segments: readonly string[]): string {
  return `/${segments.filter((segment, at) => segment !== '' || at === segments.length - 1).join('/')}`;
}

/** Percent-decoded as UTF-8, but for slashes: an encoded one is a character of its segment. */
function decode(path: string): string {
  const bytes = path.replace(ENCODED, (written, digits: string) => {
    const byte = Number.parseInt(digits, 16);
    return byte === 0x2f ? written : String.fromCharCode(byte);
  });
  return Buffer.from(bytes, 'latin1').toString('utf8');
}

function isAscii(path: string): boolean {
  for (let at = 0; at < path.length; at++) if (path.charCodeAt(at) > 0x7f) return false;
  return true;
}
