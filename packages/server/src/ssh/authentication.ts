/**
 * Authentication by public keys and certificates (RFC 4252).
 * Invariant: an offered key without a signature authenticates no user, and the number of attempts is bounded.
 */
import {
  boolean,
  certifiedAlgorithm,
  isKeyFault,
  isSignedBy,
  type PublicKey,
  parseBlob,
  Reader,
  readCertificate,
  type SshCertificate,
  string,
} from '../pki/ssh/index.ts';
import { Disconnect, Message } from './numbers.ts';
import { SshError } from './ssh-error.ts';

const connectionService = 'ssh-connection';
/** Refused keys. A client with more keys in its agent has to be configured for one of them. */
const mostRefused = 10;
const mostRequests = 64;
/** Unanswered requests keep their keys in memory before the user is known. */
const mostWaiting = 2;

export interface Offered {
  readonly user: string;
  /** The key that signs. */
  readonly key: PublicKey;
  /** Certificate of the key; null: the key itself is known. */
  readonly certificate: SshCertificate | null;
}

/** Message for the user; null for none. */
export interface AuthenticationRefused {
  readonly text: string | null;
}

export interface Authenticator {
  /** Returns true if a signature by this key would be worth anything. */
  offer(offered: Offered): Promise<AuthenticationRefused | null>;
  /** Returns the message for a client with so many refused keys. */
  tooMany(keys: number): string;
  /** The client has the key: null when it is in by the time that this resolves. */
  prove(offered: Offered): Promise<AuthenticationRefused | null>;
  failed(error: unknown): void;
  /** The line that a client is shown when it is let in. */
  readonly welcome: string;
}

export interface AuthenticationLink {
  readonly sessionId: Buffer;
  readonly isOver: boolean;
  send(...parts: readonly Buffer[]): void;
  disconnect(reason: Disconnect, text: string): void;
}

interface Attempt {
  readonly algorithm: string;
  readonly blob: Buffer;
  readonly offered: Offered;
  /** Null: a query without a signature. */
  readonly signature: Buffer | null;
}

export class Authentication {
  readonly #link: AuthenticationLink;
  readonly #authenticator: Authenticator;
  /** Requests are answered in their order. */
  #turn: Promise<void> = Promise.resolve();
  #requests = 0;
  #waiting = 0;
  #refused = 0;
  #hasSucceeded = false;

  constructor(link: AuthenticationLink, authenticator: Authenticator) {
    this.#link = link;
    this.#authenticator = authenticator;
  }

  get hasSucceeded(): boolean {
    return this.#hasSucceeded;
  }

  /** SSH_MSG_USERAUTH_REQUEST. Raises SshError, WireError. */
  request(payload: Buffer): void {
    // Requests after the success are ignored (RFC 4252, section 5.1).
    if (this.#hasSucceeded) return;
    this.#requests += 1;
    if (this.#requests > mostRequests || this.#waiting >= mostWaiting)
      throw new SshError('too many requests for authentication', Disconnect.noMoreAuthMethods);
    const reader = new Reader(payload.subarray(1));
    const user = reader.text();
    const service = reader.text();
    if (service !== connectionService)
      throw new SshError(`there is no service ${service.slice(0, 64)}`, Disconnect.serviceNotAvailable);
    const attempt = reader.text() === 'publickey' ? readAttempt(reader, user) : null;
    this.#waiting += 1;
    this.#turn = this.#turn
      .then(() => this.#answer(attempt, user))
      .catch((error) => this.#broken(error))
      .finally(() => {
        this.#waiting -= 1;
      });
  }

  async #answer(attempt: Attempt | null, user: string): Promise<void> {
    if (this.#link.isOver || this.#hasSucceeded) return;
    if (attempt === null) this.#fail();
    else if (attempt.signature === null) await this.#offer(attempt);
    else await this.#prove(attempt, attempt.signature, user);
  }

  async #offer({ offered, algorithm, blob }: Attempt): Promise<void> {
    const refused = await this.#authenticator.offer(offered);
    if (refused === null) this.#link.send(Buffer.of(Message.userauthPkOk), string(algorithm), string(blob));
    else this.#refuse(refused);
  }

  async #prove({ offered, algorithm, blob }: Attempt, signature: Buffer, user: string): Promise<void> {
    const signed = Buffer.concat([
      string(this.#link.sessionId),
      Buffer.of(Message.userauthRequest),
      ...[user, connectionService, 'publickey'].map((text) => string(text)),
      boolean(true),
      ...[algorithm, blob].map((part) => string(part)),
    ]);
    const signs = certifiedAlgorithm(algorithm) ?? algorithm;
    const { criticalOptions = {}, extensions = {} } = offered.certificate ?? {};
    const demand = {
      presence: extensions['no-touch-required'] === undefined,
      verification: criticalOptions['verify-required'] !== undefined,
    };
    if (!isSignedBy(offered.key, signs, signature, signed, demand)) {
      this.#refuse({ text: null });
      return;
    }
    const refused = await this.#authenticator.prove(offered);
    if (refused !== null) {
      this.#refuse(refused);
      return;
    }
    this.#hasSucceeded = true;
    this.#show(this.#authenticator.welcome);
    this.#link.send(Buffer.of(Message.userauthSuccess));
  }

  #refuse({ text }: AuthenticationRefused): void {
    this.#refused += 1;
    if (text !== null) this.#show(text);
    if (this.#refused < mostRefused) this.#fail();
    else this.#link.disconnect(Disconnect.noMoreAuthMethods, this.#authenticator.tooMany(mostRefused));
  }

  #show(text: string): void {
    this.#link.send(Buffer.of(Message.userauthBanner), string(`${text}\r\n`), string(''));
  }

  #fail(): void {
    this.#link.send(Buffer.of(Message.userauthFailure), string('publickey'), boolean(false));
  }

  #broken(error: unknown): void {
    this.#authenticator.failed(error);
    this.#link.disconnect(Disconnect.byApplication, 'something failed in the server');
  }
}

/** Null for a key that cannot be used here: it fails like any that is not known. Raises WireError. */
function readAttempt(reader: Reader, user: string): Attempt | null {
  const isSigned = reader.boolean();
  const algorithm = reader.text();
  const blob = reader.string();
  const signature = isSigned ? reader.string() : null;
  reader.end();
  const offered = readOffered(algorithm, blob);
  return offered === null ? null : { algorithm, blob, signature, offered: { user, ...offered } };
}

function readOffered(algorithm: string, blob: Buffer): Pick<Offered, 'key' | 'certificate'> | null {
  const certified = certifiedAlgorithm(algorithm);
  if (certified === null) {
    const key = parseBlob(blob, keyAlgorithm(algorithm));
    return isKeyFault(key) ? null : { key, certificate: null };
  }
  const certificate = readCertificate(blob, algorithm.replace(certified, keyAlgorithm(certified)));
  return 'fault' in certificate ? null : { key: certificate.key, certificate };
}

/** Signatures with RSA have names of their own; the key keeps its (RFC 8332, section 3). */
function keyAlgorithm(algorithm: string): string {
  return algorithm.startsWith('rsa-sha2-') ? 'ssh-rsa' : algorithm;
}
