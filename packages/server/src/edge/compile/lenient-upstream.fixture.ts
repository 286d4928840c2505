/** Models upstreams that read paths in lenient ways, and paths that are written to pass for others there. */
import fc from 'fast-check';

type Step = (path: string) => string;

function percentDecoded(path: string, keepsSlashes: boolean): string {
  const bytes: number[] = [];
  for (let at = 0; at < path.length; at++) {
    const digits = /^%([0-9a-f]{2})/i.exec(path.slice(at, at + 3))?.[1];
    if (digits === undefined || (keepsSlashes && digits.toLowerCase() === '2f')) {
      bytes.push(...Buffer.from(path[at]!));
    } else {
      bytes.push(Number.parseInt(digits, 16));
      at += 2;
    }
  }
  return overlongDecoded(bytes);
}

/** Also of bytes that no strict decoder takes. */
function overlongDecoded(bytes: readonly number[]): string {
  let text = '';
  for (let at = 0; at < bytes.length; at++) {
    const first = bytes[at]!;
    const more = first >= 0xf0 ? 3 : first >= 0xe0 ? 2 : first >= 0xc0 ? 1 : 0;
    let code = more === 0 ? first : first & (0x3f >> more);
    for (let next = 1; next <= more; next++) code = code * 64 + ((bytes[at + next] ?? 0) & 0x3f);
    at += more;
    text += String.fromCodePoint(Math.min(code, 0x10ffff));
  }
  return text;
}

function strictlyDecoded(path: string): string {
  const bytes = path.replace(/%([0-9a-f]{2})/gi, (_, digits) =>
    String.fromCharCode(Number.parseInt(digits, 16)),
  );
  const isText = /[^\0-\xff]/.test(bytes);
  return isText ? bytes : Buffer.from(bytes, 'latin1').toString('utf8');
}

function dotsResolved(path: string): string {
  const kept: string[] = [];
  for (const segment of path.split('/').slice(1)) {
    if (segment === '..') kept.pop();
    else if (segment !== '.') kept.push(segment);
  }
  return `/${kept.join('/')}`;
}

const decodings: readonly Step[] = [
  strictlyDecoded,
  (path) => percentDecoded(path, false),
  (path) => percentDecoded(path, true),
  (path) =>
    percentDecoded(
      path.replace(/%u00([0-9a-f]{2})/gi, (_, digits) => `%${digits}`),
      false,
    ),
];

/** Each leaves what it does not know as it is. */
const steps: readonly Step[] = [
  ...decodings,
  (path) => path.toLowerCase(),
  (path) => path.toUpperCase().toLowerCase(),
  (path) => path.normalize('NFKC'),
  (path) => path.replace(/(.)\/$/, '$1'),
  (path) => path.replaceAll('\\', '/'),
  (path) =>
    path
      .split('/')
      .map((one) => one.split(';')[0])
      .join('/'),
  (path) => path.split(';')[0]!,
  (path) => path.replace(/\/+/g, '/'),
  dotsResolved,
  (path) => path.trim(),
  (path) => path.replace(/[\t\r\n]/g, ''),
  (path) =>
    path
      .split('/')
      .map((one) => (/^\.+$/.test(one) ? one : one.replace(/[. ]+$/, '')))
      .join('/'),
  (path) => path.split('\0')[0]!,
  (path) => path.split('#')[0]!,
  (path) => path.split('?')[0]!,
  (path) => path.replace(/^\/[/\\]+[^/\\]*/, ''),
];

/** A way to read a path: it is decoded at least once. */
export const reading: fc.Arbitrary<Step> = fc
  .tuple(
    fc.array(fc.constantFrom(...steps), { maxLength: 5 }),
    fc.constantFrom(...decodings),
    fc.array(fc.constantFrom(...steps), { maxLength: 5 }),
  )
  .map(([before, decoding, after]) => (path) => {
    let read = path;
    for (const step of [...before, decoding, ...after]) {
      read = step(read);
      if (!read.startsWith('/')) read = `/${read}`;
    }
    return read;
  });

const hex = (character: string): string => character.charCodeAt(0).toString(16).padStart(2, '0');
const spellings: readonly Step[] = [
  (character) => character,
  (character) => character,
  (character) => character.toUpperCase(),
  (character) => `%${hex(character)}`,
  (character) => `%25${hex(character)}`,
  (character) => `%2525${hex(character)}`,
  (character) => `%u00${hex(character)}`,
  (character) => {
    const code = character.charCodeAt(0);
    return `%${(0xc0 | (code >> 6)).toString(16)}%${(0x80 | (code & 0x3f)).toString(16)}`;
  },
  (character) => (character === '/' ? '\\' : character),
  (character) => (character === '/' ? '%5c' : character),
  (character) => (character === 's' ? '%C5%BF' : character),
  (character) => (character === 'k' ? '%E2%84%AA' : character),
  (character) => encodeURIComponent(String.fromCharCode(character.charCodeAt(0) + 0xfee0)),
];
const noise = fc.constantFrom(
  ...['', '', '', '/', '/./', '/x/../', '/.;/', '/y/..;/', ';', ';a=b', '%3b', '%09', '%20', '%0a', '.', '+'],
  ...['%2500', '%23', '%3fq', '//', '\\', '%2f', '%252f', '%c0%af', '%ef%bc%8f', '/%2e%2e/', '/%252e%252e/'],
);

/** Spells a path otherwise, by more than any upstream reads alike. */
export function disguised(path: string): fc.Arbitrary<string> {
  const characters = [...path].map((character) =>
    fc.tuple(fc.constantFrom(...spellings.map((spell) => spell(character))), noise, fc.nat(3)),
  );
  return fc
    .tuple(fc.constantFrom('', '', '/x', '//host', '/x%2f..'), fc.nat(4), ...characters)
    .map(([start, wildness, ...pieces]) => {
      const text = pieces.map(([spelled, extra, at], index) =>
        at < wildness ? `${spelled}${at === 0 ? extra : ''}` : path[index],
      );
      const all = `${start}${text.join('')}`;
      return all.startsWith('/') ? all : `/${all}`;
    });
}
