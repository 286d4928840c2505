/**
 * Options of a bind that this service does not have.
 * Invariant: they are refused by name, never dropped.
 */
import { Problem } from '../../errors/problem.ts';
import type { TunnelProtocol } from '../../online/tunnel-facts.ts';
import { isEmpty, isObject, shown } from './fields.ts';
import { moduleOptionNames, optionsByPresence } from './index.ts';
import { protocols } from './protocols.ts';
import { refuseTrafficPolicy } from './traffic-policy.ts';

/** Known options without effect here, lower case, with the protocol's spelling. */
const unavailable: ReadonlyMap<string, string> = new Map(
  [
    'Auth',
    'HostHeaderRewrite',
    'BasicAuth',
    'OAuth',
    'OIDC',
    'WebhookVerification',
    'Compression',
    'CircuitBreaker',
    'IPRestriction',
    'MutualTLSCA',
    'MutualTLSAtEdge',
    'MutualTLSAtAgent',
    'TLSTermination',
    'RequestHeaders',
    'ResponseHeaders',
    'WebsocketTCPConverter',
    'UserAgentFilter',
    'IPPolicyRef',
  ].map((name) => [name.toLowerCase(), name]),
);

/** Names of the option for traffic policies, now and earlier. */
const trafficPolicies: ReadonlySet<string> = new Set(['trafficpolicy', 'policy']);

/** Raises Problem for the first option of a bind's `Opts` that would have no effect. */
export function refuseUnavailableOptions(proto: TunnelProtocol, options: object | null): void {
  const modules = moduleOptionNames(proto);
  for (const [name, value] of Object.entries(options ?? {})) {
    const key = name.toLowerCase();
    if (protocols[proto].options.has(key) || modules.has(key)) continue;
    if (isAbsent(key, value)) continue;
    if (trafficPolicies.has(key)) {
      refuseTrafficPolicy(value);
      continue;
    }
    const known = unavailable.get(key);
    // An unknown scalar is ignored. An unknown object is a module, and dropping a module can leave a tunnel open.
    if (known === undefined && typeof value !== 'object') continue;
    const module = known ?? name.slice(0, 64);
    const others = protocolsWith(key);
    if (others.length === 0) throw new Problem('bindModuleUnavailable', { module });
    throw new Problem('bindModuleOfOtherProtocol', { module, proto, others: others.join(', ') });
  }
}

/** `key`: the option in lower case. An empty object is a guard that an agent requests; other empty options are not set. */
function isAbsent(key: string, value: unknown): boolean {
  return isEmpty(value) && !(isObject(value) && (optionsByPresence.has(key) || key === 'ippolicyref'));
}

/** Returns the protocols whose binds have an option, by its name in lower case. */
function protocolsWith(key: string): readonly TunnelProtocol[] {
  const all = Object.keys(protocols) as TunnelProtocol[];
  return all.filter((proto) => protocols[proto].options.has(key) || moduleOptionNames(proto).has(key));
}

/** The same for `Extra` and for changes to a tunnel, where only known names count. */
export function refuseUnavailableExtras(extra: unknown): void {
  if (!isObject(extra)) return;
  for (const [name, value] of Object.entries(extra)) {
    const key = name.toLowerCase();
    if (isAbsent(key, value)) continue;
    if (trafficPolicies.has(key)) {
      refuseTrafficPolicy(value);
      continue;
    }
    const known = unavailable.get(key);
    if (known !== undefined) throw new Problem('bindModuleUnavailable', { module: known });
  }
}

/** Raises Problem when a tunnel is to be reachable elsewhere than in public, with another code, since leaving that out opens it to everybody. */
export function refuseBindings(bindings: readonly string[]): void {
  const other = bindings.find((binding) => binding !== '' && binding.toLowerCase() !== 'public');
  if (other !== undefined) throw new Problem('bindBindingUnavailable', { binding: shown(other) });
}
