/**
 * Public keys of SSH in the texts that programs write: a line, PEM (RFC 7468) and RFC 4716. Other texts are refused with the command
 * that makes such a line.
 */
import { createPublicKey, type KeyObject } from 'node:crypto';
import { parsePem } from '../../core/pem.ts';
import {
  encodePublicKey,
  formatPublicKey,
  type KeyFault,
  malformed,
  type PublicKey,
  parseBlob,
  parsePublicKey,
} from './public-key.ts';
import { Reader, WireError } from './wire.ts';

const pemLabels = ['PUBLIC KEY', 'RSA PUBLIC KEY'];
const sshBegin = '---- BEGIN SSH2 PUBLIC KEY ----';
const sshEnd = '---- END SSH2 PUBLIC KEY ----';
const base64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;
/** An algorithm with a key after it, somewhere in a line. */
const keyWithin = /\s((?:ssh|ecdsa|sk)-[^\s]+\s+AAAA\S*)/;

const privateKeySent =
  'it is a private key, which is for its owner alone. Make the public one: "ssh-keygen -y -f FILE"';
const puttyKeySent =
  'it is a key file of PuTTY, with the private key. Make the public one: "puttygen FILE -O public-openssh"';

/** Reads one key. Comments, empty lines, a byte order mark and line ends of any system are allowed around it. */
export function parsePublicKeyText(given: string): PublicKey | KeyFault {
  const text = given.replace(/^\uFEFF/, '').trim();
  if (/^PuTTY-User-Key-File-\d/.test(text)) return malformed(puttyKeySent);
  if (text.includes('-----BEGIN ')) return parsePemKey(text);
  if (text.startsWith('----')) return parseSsh2(text);
  const lines = text.split(/[\r\n]+/).filter((line) => !/^\s*(?:#|$)/.test(line));
  const [line = ''] = lines;
  if (lines.length > 1) return parsePublicKey(text);
  const key = parsePublicKey(line);
  const [, within] = keyWithin.exec(line) ?? [];
  if (!('fault' in key) || within === undefined || key.fault !== 'malformed') return key;
  return malformed(
    `there is text before the key, such as options of "authorized_keys" or the name of a host, which has no effect here. Leave it out and begin with "${within.slice(0, 40)}"`,
  );
}

function parsePemKey(text: string): PublicKey | KeyFault {
  const blocks = parsePem(text);
  const [block] = blocks ?? [];
  if (blocks === null || block === undefined) return malformed('its PEM is not complete');
  if (blocks.some(({ label }) => label.endsWith('PRIVATE KEY'))) return malformed(privateKeySent);
  if (block.label.endsWith('CERTIFICATE'))
    return malformed('it is a certificate. Make its key: "openssl x509 -in FILE -noout -pubkey"');
  if (blocks.length > 1) return malformed('it has more than one PEM block');
  if (!pemLabels.includes(block.label) || block.hasHeaders)
    return malformed('its PEM does not begin with "-----BEGIN PUBLIC KEY-----"');
  let key: KeyObject;
  try {
    key = createPublicKey(block.text);
  } catch {
    return malformed('its PEM does not hold a public key');
  }
  const encoded = encodePublicKey(key);
  return encoded === null
    ? { fault: 'unsupported', reason: 'the PEM holds a key of a type that SSH does not use' }
    : parsePublicKey(formatPublicKey(encoded));
}

/** RFC 4716: headers, whose values go on in the next line after a backslash, and the key in base64. */
function parseSsh2(text: string): PublicKey | KeyFault {
  const lines = text
    .replace(/\\\r?\n/g, '')
    .split(/\r\n|\n|\r/)
    .map((line) => line.trim())
    .filter((line) => line !== '');
  if (lines[0] !== sshBegin || lines.at(-1) !== sshEnd)
    return malformed(`it does not begin with "${sshBegin}" and end with "${sshEnd}"`);
  const content = lines
    .slice(1, -1)
    .filter((line) => !/^[^\s:]{1,64}:/.test(line))
    .join('');
  if (content === '' || !base64.test(content)) return malformed('it holds no key in base64');
  const blob = Buffer.from(content, 'base64');
  if (blob.toString('base64') !== content) return malformed('its base64 is not exact');
  try {
    return parseBlob(blob, new Reader(blob).text());
  } catch (error) {
    if (error instanceof WireError) return malformed(error.message);
    throw error;
  }
}
