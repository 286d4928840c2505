/**
 * Values that the rules and the response forms of all resources may read.
 * Invariant: values for one kind alone are not here.
 */
import type { Settings } from '../../core/settings.ts';
import type { DomainProofs } from '../../dns/domain-proofs.ts';
import type { DocumentStore } from '../../documents/index.ts';
import type { Outbox } from '../../events/outbox.ts';
import type { OnlineFacts } from '../../online/online.ts';
import type {
  ActionContext,
  KindSurface,
  Principal,
  RuleContext,
  Sealing,
  ShowContext,
  StoredKind,
} from '../definition.ts';
import type { LastUse, LastUseReader } from '../last-use.ts';
import { createRef } from '../show.ts';

export interface EngineDependencies {
  readonly store: Omit<
    DocumentStore,
    'hasDeletedQueues' | 'series' | 'lastId' | 'scan' | 'scanStates' | 'watch' | 'watchQueues' | 'close'
  >;
  readonly settings: Settings;
  readonly online: OnlineFacts;
  readonly sealer: Sealing;
  /** Absent: changes make no events. */
  readonly outbox?: Outbox;
  /** Absent: no DNS lookups. */
  readonly proofs?: Pick<DomainProofs, 'look'>;
  /** Last uses of keys. Absent: none is known. */
  readonly uses?: LastUseReader;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
}

const unproven: Pick<DomainProofs, 'look'> = {
  look: async () => ({ provenBy: null, message: 'DNS proofs are off', findings: null }),
};

const NO_USES: ReadonlyMap<string, LastUse> = new Map();

export class Contexts {
  readonly #deps: EngineDependencies;
  readonly ref: ShowContext['ref'];

  constructor(deps: EngineDependencies, kinds: readonly KindSurface[]) {
    this.#deps = deps;
    this.ref = createRef(kinds, deps.settings.baseUrl);
  }

  /** `parent` is the id in the path of a kind that lives below another. */
  rules(principal: Principal, parent = ''): RuleContext {
    const { store, online, settings, sealer, now } = this.#deps;
    return { principal, parent, store, online, settings, sealer, now };
  }

  show({ account }: Pick<Principal, 'account'>): ShowContext {
    const { store, online, settings } = this.#deps;
    return { account, store, online, settings, ref: this.ref };
  }

  /** Returns the last uses of these documents, by id; none for a kind without uses. */
  async lastUses(
    { hasLastUse }: Pick<StoredKind, 'hasLastUse'>,
    account: string,
    ids: readonly string[],
  ): Promise<ReadonlyMap<string, LastUse>> {
    const { uses } = this.#deps;
    return hasLastUse !== true || uses === undefined || ids.length === 0 ? NO_USES : uses.of(account, ids);
  }

  action(principal: Principal): ActionContext {
    const { store, proofs = unproven } = this.#deps;
    return { ...this.rules(principal), ...this.show(principal), store, proofs };
  }
}
