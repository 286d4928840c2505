/**
 * Reads the path of a request as RFC 3986 does, to choose a route by (open points, decision 11). `loose-paths.ts` finds the other paths
 * that an upstream could read in it.
 */

/** Sequences that change how a path is read. Other paths are read as written. */
const SPECIAL = /[%;\\]|\/\/|\/\./;
const NUL = /%00|\0/;
const ENCODED = /%([0-9a-fA-F]{2})/g;
/** Dot segments by their number of dots. */
const dots: readonly string[] = ['', '.', '..'];
const NO_DOTS = -1;
const ENCODED_DOTS = '%2e%2e'.length;

/**
 * Dot segments resolved, then percent-decoded but for slashes, without empty segments. `path` has one character a byte, from the slash to
 * before the query. Null: it has a NUL.
 */
export function plainPath(path: string): string | null {
  if (!SPECIAL.test(path) && isAscii(path)) return path;
  if (NUL.test(path)) return null;
  return withoutEmpty(decodeSegments(resolveEncodedDots(path)));
}

/** RFC 3986, section 5.2.4, of dots as they are. A last segment of dots leaves the directory that it names. Empty segments count. */
export function resolveDots(path: string): string {
  return resolve(path, (segment) => dots.indexOf(segment));
}

/** The same, of encoded dots as well. */
export function resolveEncodedDots(path: string): string {
  return resolve(path, dotsIn);
}

function resolve(path: string, dotsOf: (segment: string) => number): string {
  const segments = path.split('/').slice(1);
  const resolved: string[] = [];
  for (let at = 0; at < segments.length; at++) {
    const segment = segments[at]!;
    const count = dotsOf(segment);
    if (count === 2) resolved.pop();
    if (count < 1) resolved.push(segment);
    else if (at === segments.length - 1) resolved.push('');
  }
  return `/${resolved.join('/')}`;
}

/** Returns the number of dots in a segment of one or two dots, encoded or not; else -1. A visitor may send thousands of segments. */
function dotsIn(segment: string): number {
  if (segment.length > ENCODED_DOTS || (segment[0] !== '.' && segment[0] !== '%')) return NO_DOTS;
  return dots.indexOf(segment.replace(/%2e/gi, '.'));
}

function withoutEmpty(path: string): string {
  return path.replace(/\/{2,}/g, '/');
}

/** Percent-decoded as UTF-8, but for slashes: an encoded one is a character of its segment. */
function decodeSegments(path: string): string {
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
