/** Labelled tunnels of this daemon, by account and label. */
import type { TunnelHandle } from '../online/online.ts';
import type { TunnelFacts } from '../online/tunnel-facts.ts';

/** Labelled tunnels of an account: never none. Sets keep the order of ids. */
interface Labelled {
  readonly byLabel: Map<string, Set<TunnelHandle>>;
  /** Changes with the set of labelled tunnels; never the same for two sets. */
  generation: number;
}

interface Match {
  readonly account: string;
  readonly generation: number;
  readonly tunnels: readonly TunnelHandle[];
}

const none: readonly TunnelHandle[] = [];

export class LabelledTunnels {
  readonly #accounts = new Map<string, Labelled>();
  /** Matches by the selector object itself: a backend keeps its selector until it changes. */
  readonly #matches = new WeakMap<ReadonlyMap<string, string>, Match>();
  #generation = 0;

  /** Tunnels of the account that carry every one of these labels; stable order. */
  matching(account: string, labels: ReadonlyMap<string, string>): readonly TunnelHandle[] {
    const labelled = this.#accounts.get(account);
    if (labelled === undefined || labels.size === 0) return none;
    const { generation } = labelled;
    const known = this.#matches.get(labels);
    if (known !== undefined && known.generation === generation && known.account === account)
      return known.tunnels;
    const tunnels = select(labelled.byLabel, labels);
    this.#matches.set(labels, { account, generation, tunnels });
    return tunnels;
  }

  add(tunnel: TunnelHandle): void {
    const { account, labels } = tunnel.facts;
    const labelled = this.#accounts.get(account) ?? { byLabel: new Map(), generation: 0 };
    this.#accounts.set(account, labelled);
    for (const key of keysOf(labels)) {
      const tunnels = labelled.byLabel.get(key);
      if (tunnels === undefined) labelled.byLabel.set(key, new Set([tunnel]));
      else tunnels.add(tunnel);
    }
    labelled.generation = ++this.#generation;
  }

  delete(tunnel: TunnelHandle): void {
    const { account, labels } = tunnel.facts;
    const labelled = this.#accounts.get(account);
    if (labelled === undefined) return;
    for (const key of keysOf(labels)) {
      const tunnels = labelled.byLabel.get(key);
      tunnels?.delete(tunnel);
      if (tunnels?.size === 0) labelled.byLabel.delete(key);
    }
    labelled.generation = ++this.#generation;
    if (labelled.byLabel.size === 0) this.#accounts.delete(account);
  }
}

function keysOf(labels: TunnelFacts['labels']): string[] {
  return Object.entries(labels).map(keyOf);
}

/** Keys of labels have no `=`, so the text is unambiguous. */
function keyOf([key, value]: readonly [string, string]): string {
  return `${key}=${value}`;
}

function select(
  byLabel: ReadonlyMap<string, ReadonlySet<TunnelHandle>>,
  labels: ReadonlyMap<string, string>,
): readonly TunnelHandle[] {
  const sets: ReadonlySet<TunnelHandle>[] = [];
  for (const label of labels) {
    const tunnels = byLabel.get(keyOf(label));
    if (tunnels === undefined) return none;
    sets.push(tunnels);
  }
  const [smallest, ...others] = sets.sort((a, b) => a.size - b.size);
  if (smallest === undefined) return none;
  const groups = new Map<string, TunnelHandle[]>();
  for (const tunnel of smallest) {
    if (!others.every((set) => set.has(tunnel))) continue;
    const key = `${tunnel.facts.clientId} ${tunnel.facts.bindId}`;
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [tunnel]);
    else group.push(tunnel);
  }
  return [...groups.values()].flat();
}
