/** A thousand agents in their own process, with the retries of stock agents. IPC messages request their state. */
import { once } from 'node:events';
import { connect, type TLSSocket } from 'node:tls';
import { call, echoHeartbeat, field, MuxSession, StreamType } from '@underpass/wire';
import { timeoutMs } from '../harness/timeouts.ts';

export interface StormOptions {
  readonly port: number;
  readonly ca: string;
  readonly authtoken: string;
  readonly count: number;
}

export interface Storm {
  readonly online: number;
  /** Failed attempts since the last cut, by message. */
  readonly failures: Readonly<Record<string, number>>;
}

/** Seconds before each try, of the family that stays away longest (agent protocol, section 7). */
const waits = [0, 0.05, 2.5, 125];
const answerMs = timeoutMs(120_000);

let failures: Record<string, number> = {};

class Agent {
  readonly #options: StormOptions;
  #socket: TLSSocket | null = null;
  #clientId: unknown = '';
  #cookie: unknown = '';
  isOnline = false;

  constructor(options: StormOptions) {
    this.#options = options;
  }

  cut(): void {
    this.isOnline = false;
    this.#socket?.destroy();
  }

  async keep(): Promise<never> {
    for (let attempt = 0; ; attempt += 1) {
      try {
        const { over } = await this.#session();
        attempt = -1;
        await over;
        this.isOnline = false;
      } catch (error) {
        const { message } = error as Error;
        failures[message] = (failures[message] ?? 0) + 1;
      }
      const seconds = waits[Math.min(attempt + 1, waits.length - 1)] ?? 0;
      await new Promise((resolve) => setTimeout(resolve, seconds * 1000));
    }
  }

  /** Starts a session; the returned promise resolves after its end. */
  async #session(): Promise<{ readonly over: Promise<void> }> {
    const { port, ca, authtoken } = this.#options;
    const socket = connect({ host: '127.0.0.1', port, servername: 'connect.underpass.localhost', ca });
    this.#socket = socket;
    let error = 'closed';
    socket.on('error', ({ message }) => {
      error = message;
    });
    const closed = once(socket, 'close').then(() => {
      throw new Error(error);
    });
    await Promise.race([once(socket, 'secureConnect'), closed]);
    const over = Promise.withResolvers<void>();
    const mux = new MuxSession(socket, {
      role: 'client',
      accept: (type, stream) => (type === StreamType.heartbeat ? echoHeartbeat(stream) : stream.reset(5)),
      closed: () => over.resolve(),
    });
    const Extra = { Authtoken: authtoken, Cookie: this.#cookie };
    const welcome = await this.#call(mux, StreamType.auth, {
      Version: ['3'],
      ClientId: this.#clientId,
      Extra,
    });
    this.#clientId = field(welcome, 'ClientId');
    this.#cookie = field(field(welcome, 'Extra'), 'Cookie');
    await this.#call(mux, StreamType.bind, { Proto: 'https' });
    this.isOnline = true;
    // In an object, or it would be waited for here.
    return { over: Promise.race([over.promise, closed.catch(() => {})]) };
  }

  async #call(mux: MuxSession, type: StreamType, request: object): Promise<unknown> {
    const answer = await call(mux, type, request, answerMs);
    const error = field(answer, 'Error');
    if (error !== '') throw new Error(String(error));
    return answer;
  }
}

if (process.send !== undefined) {
  const options = JSON.parse(process.env.STORM ?? '') as StormOptions;
  const agents = Array.from({ length: options.count }, () => new Agent(options));
  process.on('message', (what) => {
    if (what === 'cut') {
      failures = {};
      for (const agent of agents) agent.cut();
    } else {
      const online = agents.filter(({ isOnline }) => isOnline).length;
      process.send?.({ online, failures } satisfies Storm);
    }
  });
  process.on('disconnect', () => process.exit());
  for (const agent of agents) void agent.keep();
}
