/**
 * Sites of tunnels, each made once for the reservations that it is in.
 * Invariant: the site of a closed tunnel is kept only for the other tunnels of its pool.
 */
import type { Hostname } from '../../core/names/hostname.ts';
import type { TunnelHandle } from '../../online/online.ts';
import { compileEndpoint, compileTcpEndpoint } from './compile-endpoint.ts';
import type { CompiledSite } from './compile-site.ts';
import type { Make } from './derived.ts';
import { nearestReservation } from './nearest-reservation.ts';
import type { SiteValues, Sources } from './sources.ts';

/** Ids of reservations; '' for none. The same one twice unless the tunnel is bound to a wildcard. */
interface Reservations {
  readonly ofRequested: string;
  readonly ofBound: string;
}

/** A site of a tunnel, or of the pool that it is in. */
interface EndpointSite extends Reservations {
  /** The name of its value among endpoints. */
  readonly key: string;
}

/** Sites of a tunnel: one, but below a wildcard several. */
type SitesOfTunnel = Map<Reservations['ofRequested'], EndpointSite[]>;

export class EndpointSites {
  readonly #sources: Sources;
  readonly #known = new Map<TunnelHandle, SitesOfTunnel>();

  constructor(sources: Sources) {
    this.#sources = sources;
  }

  /** Number of sites of tunnels that are online. */
  get size(): number {
    const sites = [...this.#known.values()].flatMap((ofTunnel) => [...ofTunnel.values()]);
    return sites.reduce((sum, ofOne) => sum + ofOne.length, 0);
  }

  /** Returns the site of a tunnel. The requested name below a wildcard may have its own reservation. */
  at(tunnel: TunnelHandle, hostname: Hostname): CompiledSite {
    const { documents } = this.#sources;
    const bound = tunnel.facts.endpoint?.hostname ?? hostname;
    const ofRequested = nearestReservation(documents, hostname)?.id ?? '';
    const ofBound = bound === hostname ? ofRequested : (nearestReservation(documents, bound)?.id ?? '');
    return this.#site(tunnel, ofRequested, ofBound, (read, before) => {
      const look = this.#sources.look(read);
      const ids = ofRequested === ofBound ? [ofBound] : [ofRequested, ofBound];
      const reservations = ids.map((id) => look.get('reserved_domain', id));
      return compileEndpoint(tunnel, reservations, look, before);
    });
  }

  /** Returns the site of a tunnel on a TCP port. */
  atPort(tunnel: TunnelHandle, port: number): CompiledSite {
    const id = this.#sources.documents.groups.addressOn.at(port)[0]?.id ?? '';
    return this.#site(tunnel, id, id, (read, before) => {
      const look = this.#sources.look(read);
      return compileTcpEndpoint(tunnel, look.get('reserved_addr', id), look, before);
    });
  }

  /** Forgets the sites in removed reservations: a tunnel may outlive any number of them. */
  forgetIn(removed: ReadonlySet<string>): void {
    if (removed.size === 0) return;
    const isGone = ({ ofRequested, ofBound }: Reservations): boolean =>
      removed.has(ofRequested) || removed.has(ofBound);
    for (const sites of this.#known.values()) {
      for (const [id, ofOne] of sites) {
        if (!ofOne.some(isGone)) continue;
        for (const { key } of ofOne.filter(isGone)) this.#sources.derived.forget('endpoint', key);
        const left = ofOne.filter((one) => !isGone(one));
        if (left.length > 0) sites.set(id, left);
        else sites.delete(id);
      }
    }
  }

  #site(
    tunnel: TunnelHandle,
    ofRequested: string,
    ofBound: string,
    make: Make<SiteValues, CompiledSite>,
  ): CompiledSite {
    const known = this.#find(tunnel, ofRequested, ofBound);
    const key = known?.key ?? `${tunnel.pool?.id ?? tunnel.id} ${ofRequested} ${ofBound}`;
    const site = this.#sources.derived.value('endpoint', key, make);
    // Afterwards: of a tunnel that is closed already the site is forgotten at once.
    if (known === undefined) this.#watch(tunnel, { ofRequested, ofBound, key });
    return site;
  }

  #find(tunnel: TunnelHandle, ofRequested: string, ofBound: string): EndpointSite | undefined {
    const sites = this.#known.get(tunnel)?.get(ofRequested);
    return sites?.[0]?.ofBound === ofBound ? sites[0] : sites?.find((site) => site.ofBound === ofBound);
  }

  #watch(tunnel: TunnelHandle, site: EndpointSite): void {
    const sites = this.#known.get(tunnel);
    if (sites !== undefined) {
      add(sites, site);
      return;
    }
    const own: SitesOfTunnel = new Map();
    add(own, site);
    this.#known.set(tunnel, own);
    if (tunnel.closed.aborted) this.#closed(tunnel);
    else tunnel.closed.addEventListener('abort', () => this.#closed(tunnel), { once: true });
  }

  /** Hands the sites to another tunnel of the pool, if there is one. */
  #closed(tunnel: TunnelHandle): void {
    const [next] = tunnel.pool?.tunnels ?? [];
    for (const sites of this.#known.get(tunnel)?.values() ?? []) {
      for (const site of sites) {
        if (next === undefined) this.#sources.derived.forget('endpoint', site.key);
        else this.#watch(next, site);
      }
    }
    this.#known.delete(tunnel);
  }
}

function add(sites: SitesOfTunnel, site: EndpointSite): void {
  const ofOne = sites.get(site.ofRequested);
  if (ofOne === undefined) sites.set(site.ofRequested, [site]);
  else if (ofOne.every(({ ofBound }) => ofBound !== site.ofBound)) ofOne.push(site);
}
