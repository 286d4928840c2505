/**
 * TLS state that an agent keeps between connections with its service. Resumed handshakes cost both sides a fraction,
 * which matters if a thousand agents reconnect at once.
 * Invariant: a session is offered to its own service only.
 */
import { createSecureContext, type SecureContext } from 'node:tls';

export class TlsMemory {
  readonly #ca: string | undefined;
  #secureContext: SecureContext | null = null;
  #session: Buffer | null = null;

  /** PEM of the authorities to trust instead of the built-in ones. */
  constructor(ca: string | undefined) {
    this.#ca = ca;
  }

  get hasOwnAuthorities(): boolean {
    return this.#ca !== undefined;
  }

  get secureContext(): SecureContext {
    this.#secureContext ??= createSecureContext({
      ...(this.#ca === undefined ? {} : { ca: this.#ca }),
      minVersion: 'TLSv1.2',
    });
    return this.#secureContext;
  }

  /** TLS session of a connection with a trusted certificate; null if there was none. */
  get session(): Buffer | null {
    return this.#session;
  }

  keepSession(session: Buffer): void {
    this.#session = session;
  }
}
