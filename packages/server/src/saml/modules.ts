/** The SAML modules that there are, as the service at which users come back reads them. Never one that is turned off, or of before a change. */

import { LruMap } from '../core/limits/lru.ts';
import { isFault, parentPatterns, parseHostname } from '../core/names/hostname.ts';
import type { DocumentStore, SamlModule, StoredDocument } from '../documents/index.ts';
import type { Login } from '../login/login.ts';
import type { Sealer } from '../pki/seal.ts';
import { ServiceProvider } from './service-provider.ts';

export interface SamlModulesOptions {
  readonly store: Pick<DocumentStore, 'findName' | 'get' | 'linksTo'>;
  readonly sealer: Pick<Sealer, 'open'>;
  readonly login: Login;
  /** Port at which visitors reach the service. */
  readonly publicPort: number;
}

type Carrier = StoredDocument<'https_edge_route' | 'endpoint_configuration'>;

interface Known {
  readonly revision: number;
  readonly provider: ServiceProvider | null;
}

const mostKnown = 256;
/** More domains than an endpoint configuration has. */
const mostLinks = 100_000;

export class SamlModules {
  readonly #options: SamlModulesOptions;
  readonly #known = new LruMap<string, Known>(mostKnown);

  constructor(options: SamlModulesOptions) {
    this.#options = options;
  }

  /**
   * Returns the module of the resource with this id; null if it has no usable one. A module that is turned off has
   * only its name.
   */
  async find(id: string): Promise<ServiceProvider | null> {
    const carrier = await this.#carrier(id);
    const config = carrier?.body.saml ?? null;
    if (carrier === null || config === null) return null;
    const known = this.#known.get(id);
    if (known?.revision === carrier.revision) return known.provider;
    const provider = this.#open(id, config);
    this.#known.set(id, { revision: carrier.revision, provider });
    return provider;
  }

  /** Returns true if visitors of this URL meet the module. */
  async serves(id: string, url: URL): Promise<boolean> {
    const isHere = url.protocol === 'https:' && Number(url.port || 443) === this.#options.publicPort;
    return isHere && url.username === '' && url.password === '' && (await this.standsAt(id, url.hostname));
  }

  /** Returns true if the name belongs to the edge, or to a domain with the configuration. */
  async standsAt(id: string, name: string): Promise<boolean> {
    const hostname = parseHostname(name);
    if (isFault(hostname)) return false;
    const { store } = this.#options;
    const carrier = await this.#carrier(id);
    for (const pattern of [hostname, ...parentPatterns(hostname)]) {
      // The server of a name at the front door holds it: an edge, or a domain with a configuration.
      const holder = await store.findName({ kind: 'hostport', value: `${pattern}:443` });
      if (holder === null) continue;
      if (carrier?.kind === 'https_edge_route') return holder.id === carrier.body.edge_id;
      const domain = await store.get(holder.id);
      return domain?.kind === 'reserved_domain' && domain.body.https_endpoint_configuration_id === id;
    }
    return false;
  }

  /** Returns a page for users without a RelayState; null if there is no whole name. */
  async firstPage(id: string): Promise<URL | null> {
    const carrier = await this.#carrier(id);
    if (carrier === null) return null;
    const isRoute = carrier.kind === 'https_edge_route';
    const patterns = isRoute ? await this.#namesOfEdge(carrier.body.edge_id) : this.#namesOfConfiguration(id);
    const path = isRoute ? carrier.body.match : '/';
    for await (const pattern of patterns) {
      if (!isFault(parseHostname(pattern)) && (await this.standsAt(id, pattern)))
        return new URL(path, `https://${pattern}:${this.#options.publicPort}`);
    }
    return null;
  }

  async #namesOfEdge(id: string): Promise<readonly string[]> {
    const edge = await this.#options.store.get(id);
    return edge?.kind === 'https_edge' ? edge.body.hostports.map(({ hostname }) => hostname) : [];
  }

  /** The oldest first; each is read when it is its turn. */
  async *#namesOfConfiguration(id: string): AsyncGenerator<string> {
    const { store } = this.#options;
    const links = await store.linksTo(id, mostLinks);
    for (const from of [...new Set(links.map((link) => link.from))].sort()) {
      const document = await store.get(from);
      if (document?.kind === 'reserved_domain') yield document.body.domain;
    }
  }

  async #carrier(id: string): Promise<Carrier | null> {
    if (!/^(?:edghtsrt|ec)_\w{1,64}$/.test(id)) return null;
    const document = await this.#options.store.get(id);
    const isCarrier = document?.kind === 'https_edge_route' || document?.kind === 'endpoint_configuration';
    return isCarrier ? document : null;
  }

  #open(id: string, config: SamlModule): ServiceProvider | null {
    const { login, sealer } = this.#options;
    const secret = (sealed: string, context: string): string | null => {
      try {
        return sealer.open(sealed, context);
      } catch {
        return null;
      }
    };
    return ServiceProvider.open({ id, config, login, secret });
  }
}
