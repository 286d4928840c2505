/** The client that programs make. */
import { Resources } from './generated/resources.ts';
import type { ClientOptions } from './options.ts';
import { Transport } from './transport.ts';

/** The management API: `new Client({ baseUrl, apiKey }).reservedDomains.create({ name: 'app' })`. */
export class Client extends Resources {
  readonly #transport: Transport;

  /** Throws TypeError for options that can never work. */
  constructor(options: ClientOptions) {
    const transport = new Transport(options);
    super(transport);
    this.#transport = transport;
  }

  /** Closes the connections that are open; calls under way fail. */
  close(): void {
    this.#transport.close();
  }
}
