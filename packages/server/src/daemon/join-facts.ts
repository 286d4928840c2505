/** Publishes how a machine joins this service: in a file for commands beside the daemon, and at the API. */
import { AUTHORITY_PATH, joiningFile, type LocalFacts, type PublishedJoining } from '../core/joining.ts';
import { connectAddress, consoleUrl } from '../core/service-names.ts';
import type { Settings } from '../core/settings.ts';
import { ensureFile } from '../system/files.ts';

type Needed = Pick<Settings, 'dataDir' | 'domain' | 'publicPort' | 'baseUrl' | 'consoleHost'>;

export interface PublishedAuthority {
  readonly pem: string;
  readonly fingerprint: string;
}

export class JoinFacts {
  readonly #settings: Needed;
  #current: PublishedJoining | null = null;
  #authorityPem: string | null = null;

  constructor(settings: Needed) {
    this.#settings = settings;
  }

  /** Null until the certificates are known. */
  get current(): PublishedJoining | null {
    return this.#current;
  }

  /** Certificate of the service's own authority; null if browsers need none. */
  get authorityPem(): string | null {
    return this.#authorityPem;
  }

  /**
   * `pin`: fingerprint of the authority for agents, or null. `own`: the service's own authority if it signs the
   * certificate of the API, or null. Rejects if the file cannot be written.
   */
  async publish(pin: string | null, own: PublishedAuthority | null): Promise<void> {
    const joining = { server: connectAddress(this.#settings), ca_fingerprint: pin };
    this.#authorityPem = own?.pem ?? null;
    this.#current = {
      ...joining,
      own_authority: own && { certificate_path: AUTHORITY_PATH, fingerprint: own.fingerprint },
    };
    const local: LocalFacts = { ...joining, console_url: consoleUrl(this.#settings) };
    await ensureFile(joiningFile(this.#settings.dataDir), `${JSON.stringify(local)}\n`, 0o600);
  }
}
