/**
 * What an agent keeps of TLS from one connection with its service to the next: made once, and resumed, a handshake costs both sides a
 * fraction, which counts when a thousand agents come back at once. Never that a session is shown to another service.
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

  /** By what the service knows a connection again on which its certificate was trusted; null: there was none. */
  get session(): Buffer | null {
    return this.#session;
  }

  keepSession(session: Buffer): void {
    this.#session = session;
  }
}
