/** A kept request as a command line for a POSIX shell. */
import type { Exchange } from './exchange.ts';
import { readHead } from './head.ts';

/** What curl says itself, or what is of the connection that the request came on. */
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
/** Written by the service; a visitor has no say in them. */
const OF_THE_SERVICE = /^(x-forwarded-|x-real-ip$|forwarded$)/i;

/** Null where only the beginning of the body was kept. */
export function curlCommand(exchange: Exchange, url: string): string | null {
  const { origin, request, requestLines } = exchange;
  if (request.isCut) return null;
  const headers = readHead(requestLines).headers.filter(
    ([name]) => !LEFT_OUT.includes(name.toLowerCase()) && !OF_THE_SERVICE.test(name),
  );
  const words = ['curl', '--globoff', '--path-as-is'];
  if (origin.method === 'HEAD') words.push('--head');
  else words.push('--request', origin.method);
  words.push(quoted(url));
  // With nothing after the colon curl would leave it out.
  for (const [name, value] of headers)
    words.push('--header', quoted(value === '' ? `${name};` : `${name}: ${value}`));
  if (request.size === 0) return words.join(' ');
  // Which it would take for a form.
  if (!headers.some(([name]) => name.toLowerCase() === 'content-type'))
    words.push('--header', "'Content-Type:'");
  const text = request.bytes.toString('utf8');
  if (Buffer.from(text).equals(request.bytes) && !text.includes('\0'))
    return [...words, '--data-raw', quoted(text)].join(' ');
  return `printf %s ${request.bytes.toString('base64')} | base64 -d | ${[...words, '--data-binary', '@-'].join(' ')}`;
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
