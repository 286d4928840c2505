/** A client that says whatever a test wants, at any moment; it checks no host key. */
import { createHash, createPublicKey, diffieHellman, generateKeyPairSync, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { ConditionVariable } from '../../../../test/harness/until.ts';
import { boolean, mpint, Reader, type SigningKey, signBlob, string, uint32 } from '../pki/ssh/index.ts';
import { deriveKey } from './key-exchange.ts';
import { Message } from './numbers.ts';
import { PacketCipher } from './packet-cipher.ts';
import { PacketReader } from './packet-reader.ts';
import { PacketWriter } from './packet-writer.ts';

const version = 'SSH-2.0-Raw';
const cipher = 'aes128-gcm@openssh.com';

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
  #sessionId = Buffer.alloc(0);
  isClosed = false;

  private constructor(socket: Socket) {
    this.socket = socket;
    this.#writer = new PacketWriter(socket);
    socket.on('data', (chunk: Buffer) => this.#data(chunk));
    socket.on('error', () => {});
    socket.on('close', () => {
      this.isClosed = true;
      this.#news.notify();
    });
  }

  static async connect(port: number): Promise<RawClient> {
    const socket = connect(port, '127.0.0.1');
    await once(socket, 'connect');
    return new RawClient(socket);
  }

  /** With keys in use, and nobody authenticated. */
  static async withKeys(port: number): Promise<RawClient> {
    const client = await RawClient.connect(port);
    client.socket.write(`${version}\r\n`);
    await client.exchange();
    client.send(Buffer.of(Message.serviceRequest), string('ssh-userauth'));
    await client.message(Message.serviceAccept);
    return client;
  }

  static async authenticated(port: number, key: SigningKey): Promise<RawClient> {
    const client = await RawClient.withKeys(port);
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

  /** Why the server disconnected, when the connection is over. */
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

  static kexInit(): Buffer {
    const lists = [
      ['curve25519-sha256', 'kex-strict-c-v00@openssh.com'],
      ['ssh-ed25519'],
      [cipher],
      [cipher],
      [],
      [],
    ];
    const names = [...lists, ['none'], ['none'], [], []].map((list) => string(list.join(',')));
    return Buffer.concat([Buffer.of(Message.kexInit), randomBytes(16), ...names, boolean(false), uint32(0)]);
  }

  /** `begins`: without waiting for the server to do so. */
  async exchange(begins = false): Promise<void> {
    const ours = RawClient.kexInit();
    if (begins) this.send(ours);
    const theirs = await this.message(Message.kexInit);
    if (!begins) this.send(ours);
    const { publicKey, privateKey } = generateKeyPairSync('x25519');
    const own = Buffer.from(publicKey.export({ format: 'jwk' }).x ?? '', 'base64url');
    this.send(Buffer.of(Message.kexEcdhInit), string(own));
    const reply = new Reader((await this.message(Message.kexEcdhReply)).subarray(1));
    const [hostKey, serverPublic] = [reply.string(), reply.string()];
    const jwk = { kty: 'OKP', crv: 'X25519', x: serverPublic.toString('base64url') };
    const secret = mpint(
      diffieHellman({ privateKey, publicKey: createPublicKey({ key: jwk, format: 'jwk' }) }),
    );
    const hash = createHash('sha256');
    for (const part of [version, this.#serverVersion ?? '', ours, theirs, hostKey, own, serverPublic])
      hash.update(string(part));
    const digest = hash.update(secret).digest();
    if (this.#sessionId.length === 0) this.#sessionId = digest;
    const key = (letter: string): Buffer => deriveKey(secret, digest, this.#sessionId, letter);
    this.#next = new PacketCipher(cipher, key('D'), key('B'));
    this.#useNext();
    this.send(Buffer.of(Message.newKeys));
    this.#writer.use(new PacketCipher(cipher, key('C'), key('A')));
  }

  /** Asks to be let in; `shown` is the key that it says it has. */
  login(key: SigningKey, shown = key, user = 'x', algorithm = shown.publicKey.algorithm): void {
    this.loginWith(algorithm, shown.publicKey.blob, (data) => signBlob(key, data), user);
  }

  /** Asks to be let in with any key or certificate, and any signature. */
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
    this.received.push(payload);
    // The server's keys are used from its NEWKEYS on, which comes right after its reply.
    if (payload[0] === Message.newKeys) this.#useNext();
    this.#news.notify();
  }

  #useNext(): void {
    const at = this.received.findIndex(([type]) => type === Message.newKeys);
    if (this.#next === null || at === -1) return;
    this.received.splice(at, 1);
    this.#reader.use(this.#next);
    this.#next = null;
  }
}
