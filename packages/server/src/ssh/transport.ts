/**
 * The transport of an SSH server (RFC 4253): version lines, key exchange, packets, and their end.
 * Invariant: only the key exchange is accepted before the first keys are in use. Invariant: unread output for a
 * client is bounded.
 */
import type { Socket } from 'node:net';
import { Reader, signatureAlgorithms, string, uint32, WireError } from '../pki/ssh/index.ts';
import { makeCipher } from './cipher-suite.ts';
import type { HostKey } from './host-key.ts';
import { agree } from './key-agreement.ts';
import { type ExchangeSecrets, exchangeHash } from './key-exchange.ts';
import { encodeKexInit, type Negotiated, negotiate } from './negotiation.ts';
import { Disconnect, Message } from './numbers.ts';
import type { PacketCipher } from './packet-cipher.ts';
import { PacketReader } from './packet-reader.ts';
import { PacketWriter } from './packet-writer.ts';
import { LARGE_BYTES, RekeyBudget } from './rekey-budget.ts';
import { SshError } from './ssh-error.ts';
import { type VersionLine, VersionReader } from './version-line.ts';

/** Unsent bytes from which on nothing more is written that can wait. */
const congestedBytes = 256 * 1024;
/** Unsent bytes from which on nothing more is read, since what is read may have to be answered. */
const stalledBytes = 1024 * 1024;
/** Limits in packets and bytes, because a client that reads nothing may request single bytes. */
const stalledPackets = 1024;
/** Messages that wait for the end of a key exchange, which honest clients bring about at once. */
const mostWaiting = 4096;
/** Keys are changed after so much in one direction, or so long (RFC 4253, section 9). */
const bytesPerKey = 1024 ** 3;
/** Half of what there are numbers for (RFC 4344, section 3.1). */
const packetsPerKey = 2 ** 31;
const msPerKey = 60 * 60 * 1000;
/** Smaller numbers are messages of the transport itself. */
const firstOfServices = 50;
/** Milliseconds for a client to read the reason of its disconnect. */
const lingerMs = 2_000;

export interface TransportHandler {
  /** A packet came, of whatever kind. */
  received(): void;
  /** The payload of a message of a service. May raise SshError or WireError. */
  message(payload: Buffer): void;
  /** isCongested was true; there is room again. */
  drain(): void;
  /** Called once, for ends from either side; null: a normal end. */
  closed(reason: string | null): void;
  /** Something of this side failed; the connection ends. */
  failed(error: unknown): void;
}

export interface TransportOptions {
  /** Text after `SSH-2.0-` in this server's version line. */
  readonly software: string;
  readonly hostKeys: readonly HostKey[];
  readonly handler: TransportHandler;
  readonly bytesPerKey?: number;
  readonly packetsPerKey?: number;
  readonly msPerKey?: number;
}

export class SshTransport {
  readonly #socket: Socket;
  readonly #options: TransportOptions;
  readonly #serverVersion: string;
  readonly #versions = new VersionReader();
  readonly #reader = new PacketReader((payload) => this.#receive(payload));
  readonly #writer: PacketWriter;
  #version: VersionLine | null = null;
  #sessionId: Buffer | null = null;
  /** This side's KEXINIT of the key exchange in progress; null if there is none. */
  #ownKexInit: Buffer | null = null;
  #negotiated: { readonly chosen: Negotiated; readonly clientKexInit: Buffer } | null = null;
  /** Cipher for the client's packets after its NEWKEYS. */
  #nextCipher: PacketCipher | null = null;
  #skipsNext = false;
  #isStrict = false;
  #isReady = false;
  /** Messages of services that wait for the end of an exchange. */
  #waiting: (readonly Buffer[])[] = [];
  #waitingBytes = 0;
  #sentBytes = 0;
  #receivedBytes = 0;
  readonly #rekeys = new RekeyBudget();
  /** Bytes of both directions, and how many they were when the client last had keys exchanged. */
  #allBytes = 0;
  #bytesAtRekey = 0;
  #keysExpire: NodeJS.Timeout | undefined;
  #wasCongested = false;
  #isOver = false;

  constructor(socket: Socket, options: TransportOptions) {
    this.#socket = socket;
    this.#options = options;
    this.#serverVersion = `SSH-2.0-${options.software}`;
    this.#writer = new PacketWriter(socket, () => this.#drained());
    socket.setNoDelay(true);
    socket.write(`${this.#serverVersion}\r\n`);
    socket.on('data', (chunk: Buffer) => this.#guarded(() => this.#data(chunk)));
    socket.on('drain', () => this.#drained());
    socket.on('error', (error: NodeJS.ErrnoException) => this.#over(error.code ?? error.message));
    socket.on('close', () => this.#over(null));
  }

  /** Name of the client's program; '' before its version line. */
  get clientSoftware(): string {
    return this.#version?.software ?? '';
  }

  /** Id of the first exchange, which signatures of this connection cover. */
  get sessionId(): Buffer {
    if (this.#sessionId === null) throw new Error('there are no keys yet');
    return this.#sessionId;
  }

  get isOver(): boolean {
    return this.#isOver;
  }

  /** True if sends that can wait should wait: the client does not read, or keys are being exchanged. */
  get isCongested(): boolean {
    if (this.#isOver) return false;
    const isFull = this.#socket.writableLength > congestedBytes || this.#writer.unsent > stalledPackets;
    return isFull || this.#ownKexInit !== null;
  }

  /** Sends a message of a service. */
  send(...parts: readonly Buffer[]): void {
    if (this.#isOver) return;
    if (this.#ownKexInit === null) this.#write(parts);
    else this.#wait(parts);
    this.#wasCongested ||= this.isCongested;
    if (this.#isStalled) this.#socket.pause();
    if (this.#isWorn(this.#sentBytes, this.#writer.packets)) this.#exchange();
  }

  /** Ends the connection in order, with the reason for the client. */
  disconnect(reason: Disconnect, text: string): void {
    if (this.#isOver) return;
    this.#write([Buffer.of(Message.disconnect), uint32(reason), string(text), string('')]);
    this.#socket.end();
    setTimeout(() => this.#socket.destroy(), lingerMs).unref();
    this.#over(text);
  }

  destroy(): void {
    this.#socket.destroy();
    this.#over(null);
  }

  get #unsent(): number {
    return this.#socket.writableLength + this.#waitingBytes;
  }

  get #isStalled(): boolean {
    return this.#unsent > stalledBytes || this.#writer.unsent > stalledPackets;
  }

  /** Returns true if a key was used for as much as it may be. */
  #isWorn(bytes: number, packets: number): boolean {
    const { bytesPerKey: mostBytes = bytesPerKey, packetsPerKey: mostPackets = packetsPerKey } =
      this.#options;
    return bytes > mostBytes || packets >= mostPackets;
  }

  #guarded(work: () => void): void {
    try {
      work();
    } catch (error) {
      if (error instanceof SshError) this.disconnect(error.reason, error.message);
      else if (error instanceof WireError)
        this.disconnect(Disconnect.protocolError, `a message cannot be read: ${error.message}`);
      else {
        this.#options.handler.failed(error);
        this.disconnect(Disconnect.byApplication, 'something failed in the server');
      }
    }
  }

  #data(chunk: Buffer): void {
    if (this.#isOver) return;
    let rest = chunk;
    if (this.#version === null) {
      const read = this.#versions.read(chunk);
      if (read === null) return;
      this.#version = read.version;
      rest = read.rest;
      this.#exchange();
    }
    this.#receivedBytes += rest.length;
    this.#allBytes += rest.length;
    this.#reader.read(rest);
    if (this.#isWorn(this.#receivedBytes, this.#reader.packets)) this.#exchange();
  }

  #receive(payload: Buffer): void {
    this.#options.handler.received();
    if (this.#skipsNext) {
      this.#skipsNext = false;
      return;
    }
    const type = payload[0] ?? 0;
    if (type >= firstOfServices) this.#serve(payload);
    else this.#transport(type, payload);
  }

  #serve(payload: Buffer): void {
    // From its own KEXINIT on a client sends nothing else (RFC 4253, section 7.1).
    if (!this.#isReady || this.#negotiated !== null || this.#nextCipher !== null)
      throw new SshError('a message came in the middle of a key exchange');
    this.#options.handler.message(payload);
  }

  #transport(type: number, payload: Buffer): void {
    switch (type) {
      case Message.kexInit:
        this.#negotiate(payload);
        return;
      case Message.kexEcdhInit:
        this.#agree(payload);
        return;
      case Message.newKeys:
        this.#takeNewKeys();
        return;
      case Message.disconnect:
        this.#socket.end();
        this.#over(null);
        return;
      default:
    }
    // Only the key exchange is accepted before the first keys are in use, even without strict mode of the client.
    if (!this.#isReady) throw new SshError(`a message of type ${type} came before the first keys`);
    switch (type) {
      case Message.ignore:
      case Message.debug:
      case Message.unimplemented:
      case Message.extInfo:
        return;
      case Message.serviceRequest:
        this.#serve(payload);
        return;
      default:
        this.send(Buffer.of(Message.unimplemented), uint32((this.#reader.sequence - 1) >>> 0));
    }
  }

  /** Begins an exchange, unless one is under way. */
  #exchange(): void {
    if (this.#ownKexInit !== null || this.#nextCipher !== null || this.#isOver) return;
    this.#ownKexInit = encodeKexInit(this.#options.hostKeys.map(({ algorithm }) => algorithm));
    this.#wasCongested = true;
    this.#write([this.#ownKexInit]);
  }

  #negotiate(clientKexInit: Buffer): void {
    if (this.#negotiated !== null || this.#nextCipher !== null) throw new SshError('KEXINIT came twice');
    if (!this.#isReady && this.#reader.sequence !== 1)
      throw new SshError('KEXINIT was not the first message');
    this.#countRekey();
    this.#exchange();
    const names = this.#options.hostKeys.map(({ algorithm }) => algorithm);
    const chosen = negotiate(clientKexInit, names);
    // The first negotiation decides about strictness for the whole connection.
    if (!this.#isReady) this.#isStrict = chosen.isStrict;
    this.#skipsNext = chosen.skipsNext;
    this.#negotiated = { chosen, clientKexInit };
  }

  /** Raises SshError for a client that has keys exchanged over and over. */
  #countRekey(): void {
    if (!this.#isReady || this.#ownKexInit !== null) return;
    const bytes = this.#allBytes - this.#bytesAtRekey;
    this.#bytesAtRekey = this.#allBytes;
    if (this.#rekeys.allows(bytes)) return;
    const kib = LARGE_BYTES / 1024;
    throw new SshError(`keys are exchanged too often: exchange them after at least ${kib} KiB`);
  }

  #agree(payload: Buffer): void {
    if (this.#negotiated === null || this.#ownKexInit === null || this.#version === null)
      throw new SshError('the key exchange has no KEXINIT');
    const { chosen, clientKexInit } = this.#negotiated;
    const hostKey = this.#options.hostKeys.find(({ algorithm }) => algorithm === chosen.hostKey);
    if (hostKey === undefined) throw new Error('a host key was chosen that is not there');
    const reader = new Reader(payload.subarray(1));
    const clientPublic = reader.string();
    reader.end();
    const agreed = agree(chosen.keyExchange, clientPublic);
    const hash = exchangeHash(
      chosen.keyExchange,
      {
        clientVersion: this.#version.line,
        serverVersion: this.#serverVersion,
        clientKexInit,
        serverKexInit: this.#ownKexInit,
        hostKey: hostKey.blob,
        clientPublic,
      },
      agreed,
    );
    const reply = [hostKey.blob, agreed.serverPublic, hostKey.sign(hash)].map((part) => string(part));
    this.#write([Buffer.of(Message.kexEcdhReply), ...reply]);
    this.#sessionId ??= hash;
    const { keyExchange: method } = chosen;
    this.#newKeys(chosen, { method, secret: agreed.secret, hash, sessionId: this.#sessionId });
  }

  /** This side seals with new keys from here on, and the client does so after its own NEWKEYS. */
  #newKeys(chosen: Negotiated, secrets: ExchangeSecrets): void {
    this.#write([Buffer.of(Message.newKeys)]);
    this.#writer.use(makeCipher(chosen.toClient, secrets, 'toClient'), this.#firstSequence);
    this.#nextCipher = makeCipher(chosen.toServer, secrets, 'toServer');
    this.#ownKexInit = null;
    this.#negotiated = null;
    this.#sentBytes = 0;
    if (!this.#isReady && chosen.takesExtensions) this.#tellSignatures();
    this.#sendWaiting();
  }

  /** Number of the first packet under new keys; undefined: numbers go on. */
  get #firstSequence(): 0 | undefined {
    return this.#isStrict ? 0 : undefined;
  }

  #takeNewKeys(): void {
    if (this.#nextCipher === null) throw new SshError('NEWKEYS came without a key exchange');
    this.#reader.use(this.#nextCipher, this.#firstSequence);
    this.#nextCipher = null;
    this.#receivedBytes = 0;
    clearTimeout(this.#keysExpire);
    this.#keysExpire = setTimeout(() => this.#exchange(), this.#options.msPerKey ?? msPerKey).unref();
    this.#isReady = true;
  }

  /** Clients sign with RSA keys only if the server announced SHA-2 (RFC 8308, section 3.1). */
  #tellSignatures(): void {
    const names = string(signatureAlgorithms.join(','));
    this.#write([Buffer.of(Message.extInfo), uint32(1), string('server-sig-algs'), names]);
  }

  #wait(parts: readonly Buffer[]): void {
    this.#waitingBytes += sizeOf(parts);
    if (this.#waiting.push(parts) > mostWaiting)
      this.disconnect(Disconnect.protocolError, 'too many messages wait for the end of a key exchange');
  }

  #sendWaiting(): void {
    for (const parts of this.#waiting) this.#write(parts);
    this.#waiting = [];
    this.#waitingBytes = 0;
    this.#drained();
  }

  #write(parts: readonly Buffer[]): void {
    const bytes = sizeOf(parts);
    this.#sentBytes += bytes;
    this.#allBytes += bytes;
    this.#writer.write(parts);
  }

  #drained(): void {
    if (this.#isOver) return;
    if (!this.#isStalled) this.#socket.resume();
    if (this.isCongested) return;
    if (!this.#wasCongested) return;
    this.#wasCongested = false;
    this.#options.handler.drain();
  }

  #over(reason: string | null): void {
    if (this.#isOver) return;
    this.#isOver = true;
    clearTimeout(this.#keysExpire);
    this.#reader.stop();
    this.#waiting = [];
    this.#options.handler.closed(reason);
  }
}

function sizeOf(parts: readonly Buffer[]): number {
  return parts.reduce((sum, { length }) => sum + length, 0);
}
