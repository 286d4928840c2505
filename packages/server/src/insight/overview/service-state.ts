/**
 * The state of the service, as every account may know it.
 * Invariant: it has names, regions, versions and states of daemons, and neither addresses nor messages for operators.
 */
import type { Readiness } from '../../health/readiness.ts';
import type { WarningFacts } from '../../resources/standalone/warning.ts';
import type { JsonObject } from '../../store/store.ts';

/** Another daemon. */
export interface OtherNode {
  /** Facts of its row, of a daemon of any version. */
  readonly facts: object;
  readonly isDraining: boolean;
  /** This daemon has a link to it. */
  readonly isUp: boolean;
}

export interface ServiceStateOptions {
  readonly version: string;
  readonly name: string;
  readonly region: string;
  readonly readiness: Pick<Readiness, 'reasons' | 'warnings'>;
  /** Other daemons that may live. */
  readonly others: () => readonly OtherNode[];
}

export interface ServiceState {
  readonly database: 'available' | 'away' | 'writes_refused';
  readonly nodes: readonly NodeState[];
}

export interface NodeState {
  readonly name: string;
  readonly region: string;
  readonly version: string;
  readonly state: 'ready' | 'not_ready' | 'draining' | 'unreachable';
  readonly reasons: readonly string[];
}

/** Never rejects. */
export async function serviceState(options: ServiceStateOptions): Promise<ServiceState> {
  const { version, name, region, readiness, others } = options;
  const [reasons, warnings] = await Promise.all([
    readiness.reasons('traffic'),
    readiness.warnings('traffic'),
  ]);
  const against = reasons.map(({ reason }) => reason);
  const isDraining = against.includes('draining');
  const state = isDraining ? 'draining' : against.length > 0 ? 'not_ready' : 'ready';
  const names = warnings.map(({ warning }) => warning);
  const own: NodeState = { name, region, version, state, reasons: against };
  return {
    database: names.includes('store_away')
      ? 'away'
      : names.includes('writes_refused') || names.includes('database_removed')
        ? 'writes_refused'
        : 'available',
    nodes: [own, ...others().map(otherNode)],
  };
}

function otherNode({ facts, isDraining, isUp }: OtherNode): NodeState {
  const text = (name: string): string => {
    const value: unknown = (facts as Readonly<Record<string, unknown>>)[name];
    return typeof value === 'string' ? value : '';
  };
  const state = isDraining ? 'draining' : isUp ? 'ready' : 'unreachable';
  return { name: text('name'), region: text('region'), version: text('version'), state, reasons: [] };
}

/** Returns a warning for each daemon that takes no new traffic. */
export function nodeWarnings({ nodes }: ServiceState): readonly WarningFacts[] {
  return nodes.flatMap(({ name, state, reasons }) => {
    if (state === 'ready') return [];
    const why = reasons.length === 0 ? '' : ` (${reasons.join(', ')})`;
    const msg = `The daemon ${name === '' ? 'of the service' : name} is ${state.replace('_', ' ')}${why}.`;
    const remedy = 'Nothing to do for an account. The operator finds the reasons in /readyz of the daemon.';
    return [{ code: 'node_not_ready', resource: null, name, msg, remedy } as const];
  });
}

export function shownNode({ reasons, ...node }: NodeState): JsonObject {
  return { ...node, reasons: [...reasons] };
}
