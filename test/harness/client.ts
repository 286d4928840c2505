/** A visitor: resolves every name to loopback, sends it as SNI and Host, and trusts the platform's own authority. */
import { once } from 'node:events';
import { Readable } from 'node:stream';
import { type TLSSocket, connect as tlsConnect } from 'node:tls';
import { Agent, request } from 'undici';
import { Contract } from './contract.ts';
import type { LooseJson } from './loose-json.ts';
import { timeoutMs } from './timeouts.ts';
import { inTime } from './until.ts';

export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly text: string;
  /** The body as JSON; throws when it is none. */
  readonly json: LooseJson;
}

export interface RequestInit {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Buffer;
}

/** The document that all daemons serve, but for their addresses: making it costs as much as a hundred requests. */
let usualDocument: object | null = null;

/** Uploads of tens of megabytes come, too. */
const ANSWER_MS = 20_000;

export class Client {
  #dispatcher: Agent;
  readonly #ca: string;
  readonly #port: number;
  readonly #address: string;
  readonly #isUsual: boolean;
  #contract: Promise<Contract> | null = null;

  /** `isUsual`: whether its daemon serves the same document as every other. */
  constructor(port: number, ca: string, isUsual = false, address = '127.0.0.1') {
    this.#port = port;
    this.#address = address;
    this.#ca = ca;
    this.#isUsual = isUsual;
    this.#dispatcher = this.#newDispatcher();
  }

  #newDispatcher(): Agent {
    return new Agent({
      connect: {
        ca: this.#ca,
        timeout: timeoutMs(20_000),
        lookup: (_name, _options, done) => done(null, [{ address: this.#address, family: 4 }]),
      },
    });
  }

  /** Every answer of the management API is held against the document that the daemon serves, or another one that serves the same. */
  async request(url: URL, init: RequestInit = {}): Promise<Answer> {
    if (!isApi(url)) return await this.#request(url, init);
    this.#contract ??= this.#fetchContract(url);
    const contract = await this.#contract.catch((error: unknown) => {
      // A daemon that was away may be back for the next request.
      this.#contract = null;
      throw error;
    });
    const answer = await this.#request(url, init);
    const { status, headers, text } = answer;
    const { method = 'GET', body = null } = init;
    contract.check({ method, url, sent: body === null ? null : body.toString(), status, headers, text });
    return answer;
  }

  /** Sends requests that the document does not describe, such as those in the words of a profile. */
  async unchecked(url: URL, init: RequestInit = {}): Promise<Answer> {
    return await this.#request(url, init);
  }

  async #fetchContract(api: URL): Promise<Contract> {
    if (this.#isUsual && usualDocument !== null)
      return new Contract({ ...usualDocument, servers: [{ url: api.origin }] });
    const answer = await this.#request(new URL('/openapi.json', api), {});
    const document = answer.json as object;
    if (this.#isUsual) usualDocument = document;
    return new Contract(document);
  }

  async #request(url: URL, init: RequestInit): Promise<Answer> {
    return await inTime(
      this.#answer(url, init),
      () => `an answer to ${init.method ?? 'GET'} ${url}`,
      ANSWER_MS,
    );
  }

  async #answer(url: URL, init: RequestInit): Promise<Answer> {
    const response = await request(url, {
      method: (init.method ?? 'GET') as 'GET',
      headers: init.headers ?? {},
      body: init.body ?? null,
      dispatcher: this.#dispatcher,
    });
    const text = await response.body.text();
    return {
      status: response.statusCode,
      headers: response.headers,
      text,
      get json() {
        return JSON.parse(text);
      },
    };
  }

  /** A POST of these bytes without a length, in chunks; answers the text of the answer. */
  async upload(url: URL, body: Buffer): Promise<string> {
    const chunks = function* (): Generator<Buffer> {
      for (let start = 0; start < body.length; start += 100_000) yield body.subarray(start, start + 100_000);
    };
    const response = await request(url, {
      method: 'POST',
      body: Readable.from(chunks()),
      dispatcher: this.#dispatcher,
    });
    return await response.body.text();
  }

  /** A raw TLS connection for bytes of the test's own making. */
  async tls(
    servername: string,
    options: {
      checkServerIdentity?: () => undefined;
      minVersion?: 'TLSv1.2';
      maxVersion?: 'TLSv1.2';
      ALPNProtocols?: string[];
      localAddress?: string;
    } = {},
  ): Promise<TLSSocket> {
    const socket = tlsConnect({
      host: this.#address,
      port: this.#port,
      servername,
      ca: this.#ca,
      ...options,
    });
    await inTime(once(socket, 'secureConnect'), () => `a TLS connection to ${servername}`);
    socket.on('error', () => {});
    return socket;
  }

  /** Ends the kept connections: later requests open new ones. */
  async endKept(): Promise<void> {
    const before = this.#dispatcher;
    this.#dispatcher = this.#newDispatcher();
    await before.close();
  }

  async close(): Promise<void> {
    await this.#dispatcher.destroy();
  }
}

function isApi({ hostname, pathname }: URL): boolean {
  return hostname.startsWith('api.') && !/^\/(openapi\.json|join\.json|docs(\/.*)?|ui\/.*)$/.test(pathname);
}
