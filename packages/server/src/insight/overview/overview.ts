/**
 * Runs `GET /overview` and `GET /status`.
 * Invariant: an account's facts are examined at most once a second, and that takes at most a twentieth of the time.
 */
import { formatTime } from '../../core/time-text.ts';
import type { OnlineFacts } from '../../online/online.ts';
import type { ShowContext } from '../../resources/definition.ts';
import type { StandaloneRuns } from '../../resources/standalone/definition.ts';
import { OVERVIEW_WARNINGS } from '../../resources/standalone/overview.ts';
import { STATUS_WARNINGS } from '../../resources/standalone/status.ts';
import type { WarningFacts } from '../../resources/standalone/warning.ts';
import type { JsonObject } from '../../store/store.ts';
import type { RecentTraffic } from '../series/recent.ts';
import type { AccountFacts, Inventory } from './inventory.ts';
import { OnlineNames } from './online-names.ts';
import { type Made, RecentResults } from './recent-results.ts';
import { nodeWarnings, type ServiceStateOptions, serviceState, shownNode } from './service-state.ts';
import { inOrder, warningsOf } from './warnings.ts';

export interface OverviewOptions {
  readonly inventory: Pick<Inventory, 'of'>;
  readonly online: Pick<OnlineFacts, 'sessions' | 'tunnels' | 'matching'>;
  readonly ref: ShowContext['ref'];
  readonly service: ServiceStateOptions;
  /** The service obtains certificates. */
  readonly hasAuthority: boolean;
  /** Custom names are served with a proof only. */
  readonly requiresProof: boolean;
  /** Null: there are no figures. */
  readonly traffic: ((account: string) => Promise<RecentTraffic>) | null;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

/** Counts, warnings and figures of one account at one moment. */
interface Examined {
  readonly counts: JsonObject;
  readonly warnings: readonly WarningFacts[];
  readonly traffic: RecentTraffic | null;
  readonly at: number;
}

export class Overview {
  readonly #options: OverviewOptions;
  readonly #recent: RecentResults<Examined>;

  constructor(options: OverviewOptions) {
    this.#options = options;
    this.#recent = new RecentResults((account) => this.#examine(account));
  }

  /** Resolves with the overview of an account, and the number of daemons whose figures are missing. */
  async of(account: string): Promise<{ readonly shown: JsonObject; readonly unreachable: number }> {
    const { counts, warnings, traffic, at } = await this.#recent.of(account);
    const all = inOrder([...warnings, ...nodeWarnings(await serviceState(this.#options.service))]);
    const shown = {
      warnings: all.slice(0, OVERVIEW_WARNINGS).map((one) => this.#shown(one)),
      warning_count: all.length,
      counts,
      last_minute: traffic === null ? null : { ...traffic.minute },
      last_hour: traffic === null ? null : { ...traffic.hour },
      last_hour_requests: traffic === null ? null : [...traffic.line],
      as_of: formatTime(new Date(at)),
    };
    return { shown, unreachable: traffic?.missing ?? 0 };
  }

  runs(): StandaloneRuns {
    return {
      overview_get: async ({ principal, missing }) => {
        const { shown, unreachable } = await this.of(principal.account);
        missing(unreachable);
        return shown;
      },
      status_get: async ({ principal }) => {
        const [{ warnings }, state] = await Promise.all([
          this.#recent.of(principal.account),
          serviceState(this.#options.service),
        ]);
        const all = inOrder([...warnings, ...nodeWarnings(state)]);
        return {
          version: this.#options.service.version,
          database: state.database,
          nodes: state.nodes.map(shownNode),
          warnings: all.slice(0, STATUS_WARNINGS).map((one) => this.#shown(one)),
          warning_count: all.length,
        };
      },
    };
  }

  async #examine(account: string): Promise<Made<Examined>> {
    const { inventory, online, traffic, now, hasAuthority, requiresProof } = this.#options;
    const [facts, figures] = await Promise.all([inventory.of(account), traffic?.(account) ?? null]);
    const began = performance.now();
    const names = new OnlineNames();
    let tunnels = 0;
    for (const { endpoint } of online.tunnels(account)) {
      tunnels += 1;
      if (endpoint !== null) names.add(endpoint);
    }
    const warnings = warningsOf(facts, {
      ...{ now: now(), hasAuthority, requiresProof },
      isOnline: (name) => names.has(name),
      hasTunnel: (labels) => online.matching(account, labels).length > 0,
    });
    const counts = { ...this.#agents(account), tunnels, ...countsOf(facts, names) };
    const result = { counts, warnings, traffic: figures, at: now() };
    return { result, workMs: performance.now() - began };
  }

  #agents(account: string): { readonly agents: number; readonly sessions: number } {
    const agents = new Set<string>();
    let sessions = 0;
    for (const { clientId } of this.#options.online.sessions(account)) {
      agents.add(clientId);
      sessions += 1;
    }
    return { agents: agents.size, sessions };
  }

  #shown({ resource, ...warning }: WarningFacts): JsonObject {
    if (resource === null) return { ...warning, resource };
    const { kind, id, parent } = resource;
    return { ...warning, resource: { kind, ...this.#options.ref(id, parent) } };
  }
}

function countsOf(facts: AccountFacts, online: OnlineNames) {
  const names = new Set(online.names);
  for (const { name } of facts.reserved_domain.values()) names.add(name);
  for (const { name } of facts.reserved_addr.values()) names.add(name);
  for (const edge of facts.edge.values()) for (const name of edge.names) names.add(name);
  return {
    names: names.size,
    edges: facts.edge.size,
    reserved_domains: facts.reserved_domain.size,
    reserved_addrs: facts.reserved_addr.size,
    tls_certificates: facts.tls_certificate.size,
    event_destinations: facts.event_destination.size,
  };
}
