/** Publishes how a machine joins this service: in a file for commands beside the daemon, and at the API. */
import { type Joining, joiningFile, type LocalFacts } from '../core/joining.ts';
import { connectAddress } from '../core/service-names.ts';
import type { Settings } from '../core/settings.ts';
import { ensureFile } from '../system/files.ts';

type Needed = Pick<Settings, 'dataDir' | 'domain' | 'publicPort' | 'baseUrl'>;

export class JoinFacts {
  readonly #settings: Needed;
  #current: Joining | null = null;

  constructor(settings: Needed) {
    this.#settings = settings;
  }

  /** Null until the certificates are known. */
  get current(): Joining | null {
    return this.#current;
  }

  /** `pin`: fingerprint of the authority, or null. Rejects if the file cannot be written. */
  async publish(pin: string | null): Promise<void> {
    this.#current = { server: connectAddress(this.#settings), ca_fingerprint: pin };
    const local: LocalFacts = { ...this.#current, console_url: this.#settings.baseUrl };
    await ensureFile(joiningFile(this.#settings.dataDir), `${JSON.stringify(local)}\n`, 0o600);
  }
}
