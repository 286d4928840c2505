/** The client that programs make. */
import { Resources } from './generated/resources.ts';
import type { CallOptions, ClientOptions } from './options.ts';
import { type StreamEvent, type StreamOptions, streamEvents } from './stream.ts';
import { Transport } from './transport.ts';

/** Facts by which a machine joins the service. */
export interface Joining {
  /** Address for agents, as `host:port`. */
  readonly server: string;
  /** Fingerprint of the authority, `sha256:<64 digits>`; null if agents need none. */
  readonly ca_fingerprint: string | null;
  /** The service's own authority, which browsers do not know. Null, or absent in older services: the API has none. */
  readonly own_authority?: { readonly certificate_path: string; readonly fingerprint: string } | null;
}

/** The management API: `new Client({ baseUrl, apiKey }).reservedDomains.create({ name: 'app' })`. */
export class Client extends Resources {
  readonly #transport: Transport;

  /** Throws TypeError for options that can never work. */
  constructor(options: ClientOptions) {
    const transport = new Transport(options);
    super(transport);
    this.#transport = transport;
  }

  /** Returns how a machine joins the service. Rejects as the other calls do; a service without that has no such path. */
  joining(options: CallOptions = {}): Promise<Joining> {
    return this.#transport.call<Joining>('GET', '/join.json', undefined, options);
  }

  /**
   * Yields events as they happen: `for await (const event of client.stream({ topics: ['changes'] }, { signal }))`. After
   * an interruption it continues behind the last event. It throws the signal's reason, and errors such as those of a
   * key that was deleted.
   */
  stream(options: StreamOptions = {}, call: CallOptions = {}): AsyncGenerator<StreamEvent, never, undefined> {
    return streamEvents(this.#transport, options, call);
  }

  /** Closes the connections that are open; calls under way fail. */
  close(): void {
    this.#transport.close();
  }
}
