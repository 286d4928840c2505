/** KEXINIT (RFC 4253, section 7.1): what both sides can, and what is chosen of it. Pure. */
import { randomBytes } from 'node:crypto';
import { boolean, Reader, string, uint32 } from '../pki/ssh/index.ts';
import { type Cipher, ciphers, macs, needsMac, type Suite } from './cipher-suite.ts';
import { type KeyExchange, keyExchanges } from './key-agreement.ts';
import { Disconnect, Message } from './numbers.ts';
import { SshError } from './ssh-error.ts';

const strictServer = 'kex-strict-s-v00@openssh.com';
const strictClient = 'kex-strict-c-v00@openssh.com';
const extensionsOfClient = 'ext-info-c';
const compressions = ['none'];
const cookieBytes = 16;
/** Names in all lists of a peer. */
const mostNames = 1024;

export interface Negotiated {
  readonly keyExchange: KeyExchange;
  readonly hostKey: string;
  readonly toServer: Suite;
  readonly toClient: Suite;
  /** The client numbers its packets anew after each key exchange, and wants the same. */
  readonly isStrict: boolean;
  /** It reads which signatures are taken. */
  readonly takesExtensions: boolean;
  /** The next packet was sent on a guess that was wrong. */
  readonly skipsNext: boolean;
}

/** `hostKeys`: names of the algorithms that the server has a key for, best first. */
export function encodeKexInit(hostKeys: readonly string[]): Buffer {
  const lists: readonly (readonly string[])[] = [
    [...keyExchanges, strictServer],
    hostKeys,
    ...[ciphers, ciphers],
    ...[macs, macs],
    ...[compressions, compressions],
    ...[[], []],
  ];
  return Buffer.concat([
    Buffer.of(Message.kexInit),
    randomBytes(cookieBytes),
    ...lists.map((names) => string(names.join(','))),
    boolean(false),
    uint32(0),
  ]);
}

/** Raises SshError when there is nothing that both can; WireError when it cannot be read. */
export function negotiate(kexInit: Buffer, hostKeys: readonly string[]): Negotiated {
  const reader = new Reader(kexInit.subarray(1 + cookieBytes));
  const lists = Array.from({ length: 10 }, () => reader.names());
  const [methods = [], keys = [], toServer = [], toClient = []] = lists;
  const [macsToServer = [], macsToClient = []] = lists.slice(4, 6);
  const compressed = lists.slice(6, 8);
  const follows = reader.boolean();
  reader.uint32();
  if (lists.reduce((sum, { length }) => sum + length, 0) > mostNames)
    throw new SshError('the client names too many algorithms', Disconnect.keyExchangeFailed);
  const keyExchange = choose('key exchange', methods, keyExchanges);
  const hostKey = choose('host key', keys, hostKeys);
  for (const names of compressed) choose('compression', names, compressions);
  // A guess holds only if both sides prefer the same (RFC 4253, section 7).
  const isGuessRight = methods[0] === keyExchanges[0] && keys[0] === hostKeys[0];
  return {
    keyExchange,
    hostKey,
    toServer: chooseSuite(toServer, macsToServer),
    toClient: chooseSuite(toClient, macsToClient),
    isStrict: methods.includes(strictClient),
    takesExtensions: methods.includes(extensionsOfClient),
    skipsNext: follows && !isGuessRight,
  };
}

/** A MAC is chosen only for ciphers that need one: clients may have none in common with this server otherwise. */
function chooseSuite(offeredCiphers: readonly string[], offeredMacs: readonly string[]): Suite {
  const cipher: Cipher = choose('cipher', offeredCiphers, ciphers);
  return { cipher, mac: needsMac(cipher) ? choose('MAC', offeredMacs, macs) : null };
}

/** The first of the client's that the server has, too. */
function choose<Name extends string>(what: string, offered: readonly string[], ours: readonly Name[]): Name {
  for (const name of offered) {
    const found = ours.find((one) => one === name);
    if (found !== undefined) return found;
  }
  const text = `the client has no ${what} that this server takes: ${ours.join(', ')}`;
  throw new SshError(text, Disconnect.keyExchangeFailed);
}
