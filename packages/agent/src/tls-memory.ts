/**
 * TLS state that an agent keeps between connections with its service. Resumed handshakes cost both sides a fraction,
 * which matters if a thousand agents reconnect at once.
 * Invariant: a session is offered to its own service only.
 */
import { createSecureContext, type SecureContext } from 'node:tls';
import { pinnedAuthority } from '@underpass/client/pinned-authority';
import type { HostPort } from './address.ts';
import { readFingerprint, type Trust } from './trust.ts';

export class TlsMemory {
  #ca: string | undefined;
  /** Null without one, and after its authority was found. */
  #sought: string | null;
  readonly #hasOwnAuthorities: boolean;
  #secureContext: SecureContext | null = null;
  #session: Buffer | null = null;

  /** Throws InvalidInput. */
  constructor({ ca, caFingerprint }: Trust) {
    this.#ca = ca;
    this.#sought = caFingerprint === undefined ? null : readFingerprint(caFingerprint);
    this.#hasOwnAuthorities = ca !== undefined || caFingerprint !== undefined;
  }

  get hasOwnAuthorities(): boolean {
    return this.#hasOwnAuthorities;
  }

  /** PEM of the authorities to trust instead of the built-in ones. */
  get ca(): string | undefined {
    return this.#ca;
  }

  /**
   * Finds the authority of the fingerprint, once. Every connection that comes later is verified by it. Rejects with
   * PinError, with the socket's error or with the signal's reason.
   */
  async findAuthority(
    server: HostPort,
    options: { readonly timeoutMs: number; readonly signal: AbortSignal },
  ): Promise<void> {
    if (this.#sought === null) return;
    this.#ca = await pinnedAuthority(this.#sought, server, options);
    this.#sought = null;
  }

  get secureContext(): SecureContext {
    this.#secureContext ??= createSecureContext({
      // An intermediate is trusted without its root, as curl does.
      ...(this.#ca === undefined ? {} : { ca: this.#ca, allowPartialTrustChain: true }),
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
