/**
 * Names whose reservation carries modules for what agents bind there. This version can apply none of them.
 * In: reservations and endpoint configurations. Out: whether a name may be served. What may change here: which modules have an
 * effect; never that one without effect lets traffic through.
 */
import { type Hostname, type HostPattern, isWildcard, parentPatterns } from '../core/hostname.ts';
import type { EndpointConfigurationDocument, StoredDocument } from '../documents/index.ts';

interface Reservation {
  readonly domain: HostPattern;
  /** `ec_…` */
  readonly attached: readonly string[];
}

export class ConfiguredNames {
  readonly #reservations = new Map<string, Reservation>();
  /** The ids of reservations by their names. */
  readonly #byName = new Map<HostPattern, string>();
  /** How many reservations have anything attached: mostly none, and then a look-up costs nothing. */
  #configured = 0;
  /** Of the configurations that are known: whether a module of it is turned on. */
  readonly #active = new Map<string, boolean>();

  get ids(): Iterable<string> {
    return [...this.#reservations.keys(), ...this.#active.keys()];
  }

  /** Whether what is bound at this name may not be served. The nearest reservation decides: its own, else the longest wildcard. */
  refuses(name: HostPattern): boolean {
    if (this.#configured === 0) return false;
    const own = this.#byName.get(name);
    if (own !== undefined) return this.#isActive(own);
    for (const pattern of parentPatterns((isWildcard(name) ? name.slice(2) : name) as Hostname)) {
      const covering = this.#byName.get(pattern);
      if (covering !== undefined) return this.#isActive(covering);
    }
    return false;
  }

  /** A reservation or a configuration; whether an answer can be another one now. */
  put({ id, kind, body }: StoredDocument<'reserved_domain' | 'endpoint_configuration'>): boolean {
    if (kind === 'endpoint_configuration') {
      const active = hasModules(body);
      const before = this.#active.get(id);
      this.#active.set(id, active);
      return before !== active;
    }
    const { domain, http_endpoint_configuration_id, https_endpoint_configuration_id } = body;
    const attached = [http_endpoint_configuration_id, https_endpoint_configuration_id].filter(
      (one) => typeof one === 'string',
    );
    const before = this.#reservations.get(id)?.attached;
    this.#forget(id);
    this.#reservations.set(id, { domain, attached });
    this.#byName.set(domain, id);
    if (attached.length > 0) this.#configured += 1;
    return before?.join() !== attached.join();
  }

  /** Whether it was there. */
  remove(id: string): boolean {
    return this.#forget(id) || this.#active.delete(id);
  }

  #forget(id: string): boolean {
    const reservation = this.#reservations.get(id);
    if (reservation === undefined) return false;
    this.#reservations.delete(id);
    if (reservation.attached.length > 0) this.#configured -= 1;
    // Within one batch another reservation may have taken the name already.
    if (this.#byName.get(reservation.domain) === id) this.#byName.delete(reservation.domain);
    return true;
  }

  /** What is attached and not known yet counts as if it had modules. */
  #isActive(reservation: string): boolean {
    const { attached = [] } = this.#reservations.get(reservation) ?? {};
    return attached.some((id) => this.#active.get(id) ?? true);
  }
}

function hasModules(configuration: EndpointConfigurationDocument): boolean {
  return Object.values(configuration).some((value) => typeof value === 'object' && value?.enabled === true);
}
