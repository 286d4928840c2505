/** One session of an agent of either family: its Auth, its heartbeat, its requests, and what the service opens in it. */
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { connect } from 'node:tls';
import { type Credentials, type Family, type Json, object, readJson, text } from './family.ts';
import { RawSession, StreamType } from './raw-session.ts';
import type { RawStream } from './raw-stream.ts';

/** Address of the service as the user of an agent sees it. */
export interface Service {
  readonly port: number;
  readonly host: string;
  readonly ca: string;
  /** Address on this machine; default 127.0.0.1. */
  readonly address?: string | undefined;
}

export interface SessionEvents {
  readonly proxied: (header: ProxyHeader, stream: RawStream) => void;
  readonly stopped: (message: Json) => void;
  readonly fault: (what: string) => void;
  /** See RawSessionOptions. */
  readonly isStrict?: boolean;
}

export interface ProxyHeader {
  readonly Id: string;
  readonly ClientAddr: string;
  readonly Proto: string;
  readonly EdgeType: string;
  readonly PassthroughTLS: boolean;
}

/** Types of the published protocol. */
const PUBLISHED: ReadonlySet<number> = new Set(Object.values(StreamType));

const HEADER_TYPES = {
  Id: 'string',
  ClientAddr: 'string',
  Proto: 'string',
  EdgeType: 'string',
  PassthroughTLS: 'boolean',
};

export class AgentSession {
  readonly over: Promise<string>;
  readonly #family: Family;
  readonly #events: SessionEvents;
  readonly #mux: RawSession;
  readonly #ended = new AbortController();
  /** True after the service requested its end for good. */
  isDismissed = false;
  /** `ts_…` */
  id = '';
  clientId = '';
  cookie = '';

  private constructor(family: Family, events: SessionEvents, socket: ReturnType<typeof connect>) {
    this.#family = family;
    this.#events = events;
    this.#mux = new RawSession(socket, {
      windowStep: family.windowStep,
      fault: events.fault,
      isStrict: events.isStrict === true,
      accept: (stream) => this.#accept(stream).catch(() => {}),
    });
    this.over = this.#mux.over.finally(() => this.#ended.abort());
  }

  /** Connects, and sends nothing but a heartbeat. */
  static async dial(family: Family, service: Service, events: SessionEvents): Promise<AgentSession> {
    const { port, host, ca, address = '127.0.0.1' } = service;
    const socket = connect({ host: address, port, servername: host, ca });
    // As known agents do. Otherwise a packet waits until the last one is acknowledged.
    socket.setNoDelay(true);
    await once(socket, 'secureConnect');
    const session = new AgentSession(family, events, socket);
    session.#keepBeating().catch(() => {});
    return session;
  }

  /** Streams that are open, but for the two of heartbeats. */
  get streams(): number {
    return this.#mux.streams;
  }

  /** Streams that it refused because too many came at once. */
  get refused(): number {
    return this.#mux.refused;
  }

  async authenticate(credentials: Credentials): Promise<void> {
    const answer = await this.call(StreamType.auth, this.#family.auth(credentials));
    this.#family.checkAuth(answer);
    this.clientId = text(answer, 'ClientId');
    this.cookie = text(object(answer, 'Extra'), 'Cookie');
    this.id = text(object(answer, 'Extra'), 'AgentSessionID');
  }

  /** Rejects with the error that was answered. */
  async call(type: number, body: Json): Promise<Json> {
    // The Go agents' encoder ends a value with a newline.
    const stream = this.#mux.open(type, Buffer.from(`${JSON.stringify(body)}\n`));
    const answer = await this.#family.readAnswer(stream);
    stream.end();
    const { Error: error = '' } = answer;
    if (error !== '') throw new Error(String(error));
    return answer;
  }

  cut(): void {
    this.#mux.cut();
  }

  close(): void {
    this.#mux.goAway();
  }

  async #accept(stream: RawStream): Promise<void> {
    const type = (await required(stream, 4)).readUInt32BE();
    if (type === StreamType.heartbeat) await this.#echo(stream);
    else if (type === StreamType.proxy) await this.#proxied(stream);
    else await this.#requested(type, stream);
  }

  async #echo(stream: RawStream): Promise<void> {
    for (let beat = await stream.read(4); beat !== null; beat = await stream.read(4))
      await stream.write(beat);
  }

  async #proxied(stream: RawStream): Promise<void> {
    const length = Number((await required(stream, 8)).readBigInt64LE());
    const header = JSON.parse(String(await required(stream, length))) as ProxyHeader;
    for (const [key, type] of Object.entries(HEADER_TYPES))
      if (typeof header[key as keyof ProxyHeader] !== type)
        this.#events.fault(`${key} is no ${type} in a proxy header`);
    if (this.#family.readsHeadAtOnce && stream.first.length < 12 + length)
      this.#events.fault('a proxy header that is not whole in the frame that opened its stream');
    this.#events.proxied(header, stream);
  }

  async #requested(type: number, stream: RawStream): Promise<void> {
    if (!PUBLISHED.has(type)) this.#events.fault(`a stream of type ${type}, which agents do not know`);
    const message = await readJson(stream);
    if (type === StreamType.stopTunnel) this.#events.stopped(message);
    const next = await this.#family.answerRequest(type, stream);
    if (next === 'goes on') return;
    this.isDismissed = true;
    // After the answer was on its way.
    setImmediate(() => this.close());
  }

  async #keepBeating(): Promise<void> {
    const stream = this.#mux.open(StreamType.heartbeat, Buffer.alloc(0));
    const { intervalMs, toleranceMs } = this.#family.heartbeat ?? { intervalMs: 10_000, toleranceMs: null };
    const { signal } = this.#ended;
    for (;;) {
      const beat = randomBytes(4);
      await stream.write(beat);
      const late =
        toleranceMs === null
          ? []
          : [pause(intervalMs + toleranceMs, 'late' as const, { signal, ref: false })];
      const echo = await Promise.race([stream.read(4), ...late]);
      if (echo === 'late') return this.cut();
      if (echo === null || !beat.equals(echo)) this.#events.fault('a heartbeat came back as another');
      await pause(intervalMs, undefined, { signal, ref: false });
    }
  }
}

async function required(stream: RawStream, count: number): Promise<Buffer> {
  const bytes = await stream.read(count);
  if (bytes === null) throw new Error('a stream ended in its head');
  return bytes;
}
