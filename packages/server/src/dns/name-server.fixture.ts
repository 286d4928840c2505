/** A name server for tests, over UDP: it follows aliases as a resolver does, and hands questions of some zones on to other servers. */
import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';
import { connect } from 'node:net';
import packet, { type Answer, type Packet, type Question } from 'dns-packet';

type Type = 'A' | 'AAAA' | 'CNAME' | 'TXT';
const nameError = 3;
const serverFailure = 2;

export class NameServer {
  readonly #socket: Socket = createSocket('udp4');
  readonly #records = new Map<string, readonly Answer[]>();
  readonly #zones = new Map<string, number>();
  readonly #failing = new Set<string>();
  /** Queries, as `name TYPE`. */
  readonly asked: string[] = [];

  private constructor() {
    this.#socket.on('message', (message, { port, address }) => {
      void this.#answer(message).then((answer) => this.#socket.send(answer, port, address));
    });
  }

  static async start(address = '127.0.0.1', port = 0): Promise<NameServer> {
    const server = new NameServer();
    server.#socket.bind(port, address);
    await once(server.#socket, 'listening');
    return server;
  }

  /** `IP:PORT` */
  get address(): string {
    const { address, port } = this.#socket.address();
    return `${address}:${port}`;
  }

  /** Replaces the records; no value removes them. `*` stands for one label. */
  set(name: string, type: Type, ...values: readonly string[]): void {
    const answers = values.map((data): Answer => ({ name, type, ttl: 0, data }));
    this.#records.set(`${name} ${type}`, answers);
  }

  /** Queries for the name get a failure. */
  fail(name: string, fails = true): void {
    if (fails) this.#failing.add(name);
    else this.#failing.delete(name);
  }

  /** Queries for the zone and names below it are sent to the server at that port, over TCP. */
  delegate(zone: string, port: number): void {
    this.#zones.set(zone, port);
  }

  close(): void {
    this.#socket.close();
  }

  async #answer(message: Buffer): Promise<Buffer> {
    const { id, questions = [] } = packet.decode(message);
    const [question] = questions;
    if (question === undefined) throw new Error('asked nothing');
    const base = { id, type: 'response', questions } as const;
    const flags = packet.RECURSION_DESIRED | packet.RECURSION_AVAILABLE;
    this.asked.push(`${question.name.toLowerCase()} ${question.type}`);
    if (this.#failing.has(question.name.toLowerCase())) {
      return packet.encode({ ...base, flags: flags | serverFailure });
    }
    const answers = await this.#resolve(question);
    const isThere = answers.length > 0 || this.#isKnown(question.name.toLowerCase());
    return packet.encode({ ...base, flags: isThere ? flags : flags | nameError, answers });
  }

  /** True if the name has a record of any type: glibc takes a name error for the whole name. */
  #isKnown(hostname: string): boolean {
    const names = [hostname, wildcardOver(hostname)];
    return [...this.#records].some(
      ([key, { length }]) => length > 0 && names.includes(key.split(' ')[0] ?? ''),
    );
  }

  async #resolve({ name, type }: Question): Promise<Answer[]> {
    const hostname = name.toLowerCase();
    const delegated = [...this.#zones].find(([zone]) => hostname === zone || hostname.endsWith(`.${zone}`));
    if (delegated !== undefined) return (await ask(delegated[1], { name, type })).answers ?? [];
    const wildcard = this.#records.get(`${wildcardOver(hostname)} ${type}`) ?? [];
    const found =
      this.#records.get(`${hostname} ${type}`) ?? wildcard.map((answer): Answer => ({ ...answer, name }));
    const [alias] = type === 'CNAME' ? [] : (this.#records.get(`${hostname} CNAME`) ?? []);
    if (alias?.type !== 'CNAME') return [...found];
    return [alias, ...(await this.#resolve({ name: alias.data, type }))];
  }
}

function wildcardOver(hostname: string): string {
  return hostname.replace(/^[^.]+/, '*');
}

/** One question over TCP, to a server on this machine. */
export async function ask(port: number, question: Question): Promise<Packet> {
  const socket = connect(port, '127.0.0.1');
  socket.end(packet.streamEncode({ type: 'query', id: 1, flags: 0, questions: [question] }));
  const pieces: Buffer[] = [];
  for await (const piece of socket) pieces.push(piece);
  return packet.streamDecode(Buffer.concat(pieces));
}
