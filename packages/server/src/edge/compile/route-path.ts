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

/** `path` as it stands in the request, one character a byte, from the slash to before the query. Null: it has a NUL. */
export function readingsOf(path: string): Readings | null {
  if (!SPECIAL.test(path) && isAscii(path)) return { plain: path, loose: path };
  if (/%00/.test(path)) return null;
  return { plain: plainReading(path), loose: looseReading(path) };
}

function plainReading(path: string): string {
  const segments = path.split('/').slice(1);
  return join(resolve(segments, (segment) => segment.replace(/%2e/gi, '.')).map(decode));
}

function looseReading(path: string): string {
  const segments = path.replace(SLASHES, '/').split('/').slice(1);
  const decoded = segments.map((segment) => decode(segment.replace(/(?:;|%3b).*$/is, '')));
  const isDirectory = decoded.at(-1) === '';
  const kept = decoded.filter((segment) => segment !== '');
  return join(resolve(isDirectory ? [...kept, ''] : kept, (segment) => segment));
}

/** RFC 3986, section 5.2.4. A last segment of dots leaves the directory that it names. */
function resolve(segments: readonly string[], textOf: (segment: string) => string): string[] {
  const resolved: string[] = [];
  for (const [at, segment] of segments.entries()) {
    const text = textOf(segment);
    const isDots = text === '.' || text === '..';
    if (text === '..') resolved.pop();
    if (!isDots) resolved.push(segment);
    else if (at === segments.length - 1) resolved.push('');
  }
  return resolved;
}

/** Without empty segments, but for the last one, which says that the path ends with a slash. */
function join(segments: readonly string[]): string {
  return `/${segments.filter((segment, at) => segment !== '' || at === segments.length - 1).join('/')}`;
}

/** Percent-decoded as UTF-8, but for slashes: an encoded one is a character of its segment. */
function decode(segment: string): string {
  const bytes = segment.replace(ENCODED, (written, digits: string) => {
    const byte = Number.parseInt(digits, 16);
    return byte === 0x2f ? written : String.fromCharCode(byte);
  });
  return Buffer.from(bytes, 'latin1').toString('utf8');
}

function isAscii(path: string): boolean {
  for (let at = 0; at < path.length; at++) if (path.charCodeAt(at) > 0x7f) return false;
  return true;
}
