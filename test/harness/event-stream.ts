/** A client of the API's stream of events over HTTP/1.1, with a connection of its own. */
import type { IncomingMessage } from 'node:http';
import { request } from 'node:https';
import type { Place } from './cluster.ts';
import type { LooseJson } from './loose-json.ts';
import { ConditionVariable } from './until.ts';

export interface ReceivedEvent {
  readonly event: string;
  readonly data: LooseJson;
  readonly id: string | undefined;
}

/** A daemon. */
type StreamPlace = Pick<Place, 'address' | 'port' | 'ca'> & {
  readonly bootstrap: Pick<Place['bootstrap'], 'api_key' | 'base_url'>;
};

export interface EventStreamOptions {
  readonly topics?: string;
  /** Further parameters of the query. */
  readonly query?: Readonly<Record<string, string>>;
  /** Token of another API key than that of the bootstrap. */
  readonly apiKey?: string;
  /** Headers in place of an API key. */
  readonly identity?: Readonly<Record<string, string>>;
  readonly lastEventId?: string | undefined;
  /** Loopback address of the client. */
  readonly localAddress?: string;
}

export class EventStream {
  readonly #response: IncomingMessage;
  readonly #news = new ConditionVariable();
  text = '';
  isEnded = false;

  private constructor(response: IncomingMessage) {
    this.#response = response;
    response.setEncoding('utf8');
    response.on('data', (text) => {
      this.text += text;
      this.#news.notify();
    });
    response.on('error', () => {});
    response.on('close', () => {
      this.isEnded = true;
      this.#news.notify();
    });
  }

  /** Resolves with the head of the response. */
  static async open(platform: StreamPlace, options: EventStreamOptions = {}): Promise<EventStream> {
    const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
    const { topics, query, apiKey = platform.bootstrap.api_key, lastEventId, localAddress } = options;
    const url = new URL('/stream', platform.bootstrap.base_url);
    if (topics !== undefined) url.searchParams.set('topics', topics);
    for (const [name, value] of Object.entries(query ?? {})) url.searchParams.set(name, value);
    const sent = request({
      ...{
        host: platform.address,
        port: platform.port,
        servername: url.hostname,
        ca: platform.ca,
        agent: false,
      },
      ...(localAddress === undefined ? {} : { localAddress }),
      path: `${url.pathname}${url.search}`,
      headers: {
        host: url.host,
        ...(options.identity ?? { authorization: `Bearer ${apiKey}` }),
        'service-version': '2',
        ...(lastEventId === undefined ? {} : { 'last-event-id': lastEventId }),
      },
    });
    sent.on('response', resolve);
    sent.on('error', reject);
    sent.end();
    return new EventStream(await promise);
  }

  get status(): number {
    return this.#response.statusCode ?? 0;
  }

  get headers(): IncomingMessage['headers'] {
    return this.#response.headers;
  }

  get events(): readonly ReceivedEvent[] {
    return this.text.split('\n\n').flatMap((block) => {
      const field = (name: string) => new RegExp(`^${name}: (.*)$`, 'm').exec(block)?.[1];
      const event = field('event');
      return event === undefined ? [] : [{ event, data: JSON.parse(field('data') ?? ''), id: field('id') }];
    });
  }

  named(name: string): readonly ReceivedEvent[] {
    return this.events.filter(({ event }) => event === name);
  }

  get lastEventId(): string | undefined {
    return [...this.text.matchAll(/^id: (.*)$/gm)].at(-1)?.[1];
  }

  /** Resolves with the first event that fits. */
  async first(name: string, fits: (event: ReceivedEvent) => boolean = () => true): Promise<ReceivedEvent> {
    const found = () => this.named(name).find(fits);
    await this.until(() => found() !== undefined, `an event ${name}`);
    return found()!;
  }

  async until(condition: () => boolean, what: string): Promise<void> {
    await this.#news.until(condition, () => `${what}, got ${this.text.slice(-2000)}`);
  }

  pause(): void {
    this.#response.pause();
  }

  resume(): void {
    this.#response.resume();
  }

  close(): void {
    this.#response.destroy();
  }
}
