/**
 * Checks the names and texts of a tunnel before its bind.
 * Invariant: nothing is rejected that a service could accept.
 */
import { isIP } from 'node:net';
import { domainToASCII } from 'node:url';
import { InvalidInput } from './address.ts';
import { checkAll } from './check-all.ts';

/** Bytes of a name (RFC 1035, section 2.3.4). */
const NAME_BYTES = 253;
const LABEL = /^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?)$/;

/** A name, or the first label of one below the service's domain. Throws InvalidInput. */
export function checkDomain(text: string): void {
  if (isIP(text) !== 0) throw notDomain(text, 'It is an address.');
  if (/[/:?#@\s]/.test(text)) throw notDomain(text, 'Leave out scheme, port and path.');
  const name = text.replace(/^\*\./, '').replace(/\.$/, '');
  // ASCII would be read as that of a URL, where numbers are addresses.
  const labels = (/^\p{ASCII}*$/u.test(name) ? name.toLowerCase() : domainToASCII(name)).split('.');
  if (labels.every((label) => LABEL.test(label)) && labels.join('.').length <= NAME_BYTES) return;
  throw notDomain(
    text,
    'Labels have 1 to 63 letters, digits and hyphens, and neither begin nor end with a hyphen.',
  );
}

function notDomain(text: string, why: string): InvalidInput {
  return new InvalidInput(
    `"${text.slice(0, 100)}" is not a host name. ${why} Give a name such as app.example.com, or app for one below the domain of the service.`,
    'domain',
  );
}

/** `host:port` of a reserved address. Throws InvalidInput. */
export function checkAddress(text: string): void {
  const [, host = '', port = ''] =
    /^(?:tcp:\/\/)?([^\s/:?#@*]+\.[^\s/:?#@*]+):([1-9][0-9]{0,4})$/.exec(text) ?? [];
  if (host !== '' && Number(port) <= 65_535) return;
  throw new InvalidInput(
    `"${text.slice(0, 100)}" is not an address. Give HOST:PORT of a reserved one, such as 1.tcp.example.com:20001, or leave it out for any free port.`,
    'address',
  );
}

const LABELS = 32;
const LABEL_BYTES = 255;

/** Throws InvalidInput. */
export function checkLabels(labels: Readonly<Record<string, string>>): void {
  const entries = Object.entries(labels);
  if (entries.length > LABELS)
    throw new InvalidInput(`There are ${entries.length} labels. Give at most ${LABELS}.`, 'label');
  const wrong = entries.find(([key, value]) => !isLabelText(key) || !isLabelText(value));
  if (wrong !== undefined)
    throw new InvalidInput(
      `The label "${wrong.join('=').slice(0, 100)}" is not valid. Give KEY=VALUE, each of 1 to ${LABEL_BYTES} bytes without "=".`,
      'label',
    );
}

function isLabelText(text: string): boolean {
  return text !== '' && !text.includes('=') && Buffer.byteLength(text) <= LABEL_BYTES;
}

const TEXT_BYTES = { metadata: 4096, description: 255 } as const;

/** Throws InvalidInput. */
export function checkTexts(texts: { readonly [name in keyof typeof TEXT_BYTES]: string | undefined }): void {
  checkAll(
    (['metadata', 'description'] as const).map((name) => () => {
      const [actual, limit] = [Buffer.byteLength(texts[name] ?? ''), TEXT_BYTES[name]];
      if (actual > limit)
        throw new InvalidInput(`The text is ${actual} bytes long. Give at most ${limit}.`, name);
    }),
  );
}
