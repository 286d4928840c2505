/** A client that sends any message at any time; it checks no host key. */
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { ConditionVariable } from '../../../../test/harness/until.ts';
import { boolean, Reader, type SigningKey, signBlob, string, uint32 } from '../pki/ssh/index.ts';
import { makeCipher, type Suite } from './cipher-suite.ts';
import { beginAgreement } from './client-agreement.fixture.ts';
import type { KeyExchange } from './key-agreement.ts';
import { exchangeHash } from './key-exchange.ts';
import { Message } from './numbers.ts';
import type { PacketCipher } from './packet-cipher.ts';
import { PacketReader } from './packet-reader.ts';
import { PacketWriter } from './packet-writer.ts';

const version = 'SSH-2.0-Raw';

/** The only algorithms that a client names. */
export interface RawAlgorithms extends Suite {
  readonly keyExchange: KeyExchange;
  readonly hostKey: string;
  readonly isStrict: boolean;
}

const usual: RawAlgorithms = {
  keyExchange: 'curve25519-sha256',
  hostKey: 'ssh-ed25519',
  cipher: 'aes128-gcm@openssh.com',
  mac: null,
  isStrict: true,
};

export class RawClient {
  readonly socket: Socket;
  /** Messages of the server, oldest first. */
  readonly received: Buffer[] = [];
  /** All that was sent in clear text until the first packet. */
  #head = Buffer.alloc(0);
  #serverVersion: string | null = null;
  readonly #news = new ConditionVariable();
  readonly #reader = new PacketReader((payload) => this.#receive(payload));
  readonly #writer: PacketWriter;
  #next: PacketCipher | null = null;
  /** Makes the keys of the exchange that is under way from the server's response. */
  #agree: (payload: Buffer) => void = () => {};
  #sessionId: Buffer = Buffer.alloc(0);
  isClosed = false;
  readonly #algorithms: RawAlgorithms;

  private constructor(socket: Socket, algorithms: RawAlgorithms) {
    this.socket = socket;
    this.#algorithms = algorithms;
    this.#writer = new PacketWriter(socket);
    socket.on('data', (chunk: Buffer) => this.#data(chunk));
    socket.on('error', () => {});
    socket.on('close', () => {
      this.isClosed = true;
      this.#news.notify();
    });
  }

  static async connect(port: number, algorithms: Partial<RawAlgorithms> = {}): Promise<RawClient> {
    const socket = connect(port, '127.0.0.1');
    await once(socket, 'connect');
    return new RawClient(socket, { ...usual, ...algorithms });
  }

  /** Connects, and exchanges keys without authentication. */
  static async withKeys(port: number, algorithms: Partial<RawAlgorithms> = {}): Promise<RawClient> {
    const client = await RawClient.connect(port, algorithms);
    client.socket.write(`${version}\r\n`);
    await client.exchange();
    client.send(Buffer.of(Message.serviceRequest), string('ssh-userauth'));
    await client.message(Message.serviceAccept);
    return client;
  }

  static async authenticated(
    port: number,
    key: SigningKey,
    algorithms: Partial<RawAlgorithms> = {},
  ): Promise<RawClient> {
    const client = await RawClient.withKeys(port, algorithms);
    client.login(key);
    await client.message(Message.userauthSuccess);
    return client;
  }

  send(...parts: readonly Buffer[]): void {
    this.#writer.write(parts);
  }

  /** The first message of that type, which has come or is to come; it counts as read. */
  async message(type: number): Promise<Buffer> {
    const at = (): number => this.received.findIndex((payload) => payload[0] === type);
    await this.#news.until(
      () => at() !== -1 || this.isClosed,
      () => `message ${type}`,
    );
    const [found] = at() === -1 ? [] : this.received.splice(at(), 1);
    if (found === undefined) throw new Error(`closed without a message ${type}: ${this.lastWords}`);
    return found;
  }

  /** Resolves after the end of the connection with the server's reason. */
  async closed(): Promise<string> {
    await this.#news.until(
      () => this.isClosed,
      () => 'the end',
    );
    return this.lastWords;
  }

  get lastWords(): string {
    const payload = this.received.find(([type]) => type === Message.disconnect);
    if (payload === undefined) return '';
    const reader = new Reader(payload.subarray(1));
    reader.uint32();
    return reader.text();
  }

  static kexInit(algorithms: RawAlgorithms = usual): Buffer {
    const { keyExchange, hostKey, cipher, mac, isStrict } = algorithms;
    const macs = mac === null ? [] : [mac];
    const methods = isStrict ? [keyExchange, 'kex-strict-c-v00@openssh.com'] : [keyExchange];
    const lists = [methods, [hostKey], [cipher], [cipher], macs, macs];
    const names = [...lists, ['none'], ['none'], [], []].map((list) => string(list.join(',')));
    return Buffer.concat([Buffer.of(Message.kexInit), randomBytes(16), ...names, boolean(false), uint32(0)]);
  }

  sendKexInit(): void {
    this.send(RawClient.kexInit(this.#algorithms));
  }

  /** `begins`: without waiting for the server to do so. */
  async exchange(begins = false): Promise<void> {
    const { keyExchange: method, isStrict } = this.#algorithms;
    const ours = RawClient.kexInit(this.#algorithms);
    if (begins) this.send(ours);
    const theirs = await this.message(Message.kexInit);
    if (!begins) this.send(ours);
    const { clientPublic, secret: agreed } = beginAgreement(method);
    let cipher: PacketCipher | null = null;
    this.#agree = (payload) => {
      const reply = new Reader(payload.subarray(1));
      const [hostKey, serverPublic] = [reply.string(), reply.string()];
      const secret = agreed(serverPublic);
      const versions = { clientVersion: version, serverVersion: this.#serverVersion ?? '' };
      const transcript = { ...versions, clientKexInit: ours, serverKexInit: theirs, hostKey, clientPublic };
      const hash = exchangeHash(method, transcript, { serverPublic, secret });
      if (this.#sessionId.length === 0) this.#sessionId = hash;
      const secrets = { method, secret, hash, sessionId: this.#sessionId };
      this.#next = makeCipher(this.#algorithms, secrets, 'toClient');
      cipher = makeCipher(this.#algorithms, secrets, 'toServer');
    };
    this.send(Buffer.of(Message.kexEcdhInit), string(clientPublic));
    await this.message(Message.kexEcdhReply);
    if (cipher === null) throw new Error('a response to another exchange came');
    this.send(Buffer.of(Message.newKeys));
    this.#writer.use(cipher, isStrict ? 0 : undefined);
  }

  /** Requests authentication; `shown` is the key in the request. */
  login(key: SigningKey, shown = key, user = 'x', algorithm = shown.publicKey.algorithm): void {
    this.loginWith(algorithm, shown.publicKey.blob, (data) => signBlob(key, data), user);
  }

  /** Requests authentication with any key or certificate, and any signature. */
  loginWith(algorithm: string, blob: Buffer, sign: (data: Buffer) => Buffer, user = 'x'): void {
    const request = [user, 'ssh-connection', 'publickey'].map((text) => string(text));
    const shown = [boolean(true), string(algorithm), string(blob)];
    const body = [Buffer.of(Message.userauthRequest), ...request, ...shown];
    this.send(...body, string(sign(Buffer.concat([string(this.#sessionId), ...body]))));
  }

  offer(key: SigningKey): void {
    const request = ['x', 'ssh-connection', 'publickey'].map((text) => string(text));
    const { algorithm, blob } = key.publicKey;
    this.send(
      Buffer.of(Message.userauthRequest),
      ...request,
      boolean(false),
      string(algorithm),
      string(blob),
    );
  }

  /** Answers the channel's number at the server. */
  async openSession(window = 1 << 20): Promise<number> {
    this.send(Buffer.of(Message.channelOpen), string('session'), uint32(0), uint32(window), uint32(32_768));
    const reader = new Reader((await this.message(Message.channelOpenConfirmation)).subarray(1));
    reader.uint32();
    return reader.uint32();
  }

  #data(chunk: Buffer): void {
    if (this.#serverVersion !== null) {
      this.#reader.read(chunk);
      return;
    }
    this.#head = Buffer.concat([this.#head, chunk]);
    const end = this.#head.indexOf('\r\n');
    if (end === -1) return;
    this.#serverVersion = this.#head.toString('latin1', 0, end);
    this.#reader.read(this.#head.subarray(end + 2));
  }

  #receive(payload: Buffer): void {
    if (payload[0] === Message.kexEcdhReply) this.#agree(payload);
    if (payload[0] === Message.newKeys) this.#useNext();
    else this.received.push(payload);
    this.#news.notify();
  }

  /** The server's keys are in use right after its NEWKEYS, maybe in the same chunk. */
  #useNext(): void {
    if (this.#next === null) throw new Error('NEWKEYS came without a key exchange');
    this.#reader.use(this.#next, this.#algorithms.isStrict ? 0 : undefined);
    this.#next = null;
  }
}
