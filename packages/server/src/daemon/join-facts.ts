/** Publishes how a machine joins this service: in a file for commands beside the daemon, and at the API. */
import { type Joining, joiningFile } from '../core/joining.ts';
import { connectAddress } from '../core/service-names.ts';
import type { Settings } from '../core/settings.ts';
import { ensureFile } from '../system/files.ts';

export class JoinFacts {
  readonly #settings: Pick<Settings, 'dataDir' | 'domain' | 'publicPort'>;
  #current: Joining | null = null;

  constructor(settings: Pick<Settings, 'dataDir' | 'domain' | 'publicPort'>) {
    this.#settings = settings;
  }

  /** Null until the certificates are known. */
  get current(): Joining | null {
    return this.#current;
  }

  /** `pin`: fingerprint of the authority, or null. Rejects if the file cannot be written. */
  async publish(pin: string | null): Promise<void> {
    this.#current = { server: connectAddress(this.#settings), ca_fingerprint: pin };
    await ensureFile(joiningFile(this.#settings.dataDir), `${JSON.stringify(this.#current)}\n`, 0o600);
  }
}
