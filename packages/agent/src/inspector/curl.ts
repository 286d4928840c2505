/** A kept request as a command line for a POSIX shell. */
import type { Exchange } from './exchange.ts';
import { readHead } from './head.ts';

/** Headers that curl writes itself, and headers of the original connection. */
const LEFT_OUT = [
  'host',
  'content-length',
  'transfer-encoding',
  'connection',
  'keep-alive',
  'upgrade',
  'te',
  'expect',
];
/** Headers that the service writes. Visitors cannot set them, or each pass of the request adds one (CDN-Loop). */
const OF_THE_SERVICE = /^(x-forwarded-|underpass-|(x-real-ip|forwarded|cdn-loop)$)/i;

/** Headers that curl adds by default. */
const OF_CURL = ['User-Agent', 'Accept'];

/** Bytes of one word of a command line. */
const WORD_MAX = 65_536;

/** `authority`: the file of that of the URL's certificate; null: one that the machine knows. Null where only the beginning of the body is here. */
export function curlCommand(exchange: Exchange, url: string, authority: string | null): string | null {
  const { origin, request, requestLines } = exchange;
  if (!exchange.hasWholeRequest) return null;
  const headers = readHead(requestLines).headers.filter(
    ([name]) => !LEFT_OUT.includes(name.toLowerCase()) && !OF_THE_SERVICE.test(name),
  );
  const words = ['curl', '--globoff', '--path-as-is'];
  if (authority !== null) words.push('--cacert', quoted(authority));
  if (origin.method === 'HEAD') words.push('--head');
  else words.push('--request', origin.method);
  words.push(quoted(url));
  // With nothing after the colon curl would leave it out.
  for (const [name, value] of headers)
    words.push('--header', quoted(value === '' ? `${name};` : `${name}: ${value}`));
  const said = new Map(headers.map(([name, value]) => [name.toLowerCase(), value]));
  // Else it would show the bytes as they come.
  if (/gzip|deflate|br|zstd/i.test(said.get('accept-encoding') ?? '')) words.push('--compressed');
  // It would take a body without a type for a form.
  for (const name of [...OF_CURL, ...(request.size === 0 ? [] : ['Content-Type'])])
    if (!said.has(name.toLowerCase())) words.push('--header', `'${name}:'`);
  if (request.size === 0) return words.join(' ');
  const text = request.bytes.toString('utf8');
  if (request.size <= WORD_MAX && Buffer.from(text).equals(request.bytes) && !STEERING.test(text))
    return [...words, '--data-raw', quoted(text)].join(' ');
  return `printf %s ${request.bytes.toString('base64')} | base64 -d | ${[...words, '--data-binary', '@-'].join(' ')}`;
}

/** Control characters that a terminal would obey in a pasted command, such as Ctrl-C. New lines in quotes are allowed. */
const STEERING = /[^\P{Cc}\n]/u;

function quoted(text: string): string {
  if (STEERING.test(text)) return `"$(printf '${octal(text)}')"`;
  return `'${text.replaceAll("'", "'\\''")}'`;
}

function octal(text: string): string {
  return Array.from(Buffer.from(text), (byte) => `\\${byte.toString(8).padStart(3, '0')}`).join('');
}
