/** Sites of names that lead to no server: those without a required proof, and those with nothing online. */
import type { Hostname } from '../../core/names/hostname.ts';
import { isSharedName, type ServiceAddress } from '../../core/service-names.ts';
import type { OnlineTunnels } from '../../online/online.ts';
import { accountGuards } from './account-restriction.ts';
import { type CompiledSite, idleSite } from './compile-site.ts';
import { nearestReservation } from './nearest-reservation.ts';
import { onlyOf, type Sources } from './sources.ts';

export interface UnservedNamesOptions {
  readonly online: Pick<OnlineTunnels, 'heldFor'>;
  /** The shared domain and the service's own names below it; absent: no name is anybody's before it is reserved. */
  readonly service?: ServiceAddress;
  /** True if names other than the service's own are served only with a proof; default false. */
  readonly requireProof?: boolean;
}

export class UnservedNames {
  readonly #sources: Sources;
  readonly #options: UnservedNamesOptions;
  /** Site of all names that are free for any account. */
  readonly #free = idleSite('', '');

  constructor(sources: Sources, options: UnservedNamesOptions) {
    this.#sources = sources;
    this.#options = options;
  }

  /** Returns the site of a name without the required proof; undefined for any other name. */
  unproven(hostname: Hostname): CompiledSite | undefined {
    const { requireProof = false, service } = this.#options;
    if (!requireProof || hostname.endsWith(`.${service?.domain}`)) return undefined;
    const { documents, derived } = this.#sources;
    const reservation = nearestReservation(documents, hostname);
    if (reservation === undefined) return undefined;
    const { id, account } = reservation;
    const proofs = onlyOf('domain_proof', documents.groups.proofsOf.at(id));
    if (proofs.some(({ body }) => body.proven_by !== null)) return undefined;
    return derived.value('unproven', id, (read) => {
      const guards = accountGuards(account, this.#sources.look(read));
      return idleSite(id, account, guards, 'domainNotProven');
    });
  }

  /** Returns the site of a name with nothing online; undefined for one that does not exist. */
  idle(hostname: Hostname): CompiledSite | undefined {
    const { documents, derived } = this.#sources;
    const reservation = nearestReservation(documents, hostname);
    if (reservation !== undefined) {
      const { id, account } = reservation;
      return derived.value('site', id, (read) => {
        read('document', id);
        return idleSite(id, account, accountGuards(account, this.#sources.look(read)));
      });
    }
    const { online, service } = this.#options;
    const account = online.heldFor(hostname);
    if (account !== undefined) {
      return idleSite(hostname, account, accountGuards(account, this.#sources.lookNow()));
    }
    return service !== undefined && isSharedName(hostname, service) ? this.#free : undefined;
  }
}
