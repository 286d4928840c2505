/** What an agent may ask of a bind that this service does not have: named and refused, never silently left out. */
import { Problem } from '../errors/problem.ts';
import { isObject } from './fields.ts';

/** Options of HTTP binds that ask for nothing beyond the bind itself. Lower case. */
const harmless: ReadonlySet<string> = new Set(['url', 'domain', 'hostname', 'subdomain', 'localurlscheme']);

/** Known options without effect here, lower case, with the protocol's spelling. */
const unavailable: ReadonlyMap<string, string> = new Map(
  [
    'Auth',
    'HostHeaderRewrite',
    'ProxyProto',
    'Compression',
    'CircuitBreaker',
    'IPRestriction',
    'BasicAuth',
    'OAuth',
    'OIDC',
    'WebhookVerification',
    'MutualTLSCA',
    'RequestHeaders',
    'ResponseHeaders',
    'WebsocketTCPConverter',
    'UserAgentFilter',
    'Policy',
    'TrafficPolicy',
    'IPPolicyRef',
    'PoolingEnabled',
    'AllowsPooling',
  ].map((name) => [name.toLowerCase(), name]),
);

/** Modules without settings: the object alone, empty as it is, asks for them. */
const askedByPresence: ReadonlySet<string> = new Set(['compression', 'websockettcpconverter']);

/** Raises Problem for the first option of a bind's `Opts` that would have no effect. */
export function refuseUnavailableOptions(options: object | null): void {
  for (const [name, value] of Object.entries(options ?? {})) {
    const key = name.toLowerCase();
    if (harmless.has(key)) continue;
    const known = unavailable.get(key);
    // A scalar that nobody knows is ignored; an unknown object is a module, and leaving a module out can leave a door open.
    if (known === undefined && (typeof value !== 'object' || isEmpty(value))) continue;
    if (isEmpty(value) && !(askedByPresence.has(key) && isObject(value))) continue;
    throw new Problem('bindModuleUnavailable', { module: known ?? name.slice(0, 64) });
  }
}

/** The same for `Extra` and for changes to a tunnel, where only known names count. */
export function refuseUnavailableExtras(extra: unknown): void {
  if (!isObject(extra)) return;
  for (const [name, value] of Object.entries(extra)) {
    const known = unavailable.get(name.toLowerCase());
    if (known !== undefined && !isEmpty(value)) throw new Problem('bindModuleUnavailable', { module: known });
  }
}

/** Raises Problem when a tunnel is to be reachable elsewhere than in public. */
export function refuseBindings(bindings: readonly string[]): void {
  const other = bindings.find((binding) => binding !== '' && binding.toLowerCase() !== 'public');
  if (other !== undefined)
    throw new Problem('bindModuleUnavailable', { module: `The binding "${other.slice(0, 64)}"` });
}

/** Nothing, however deep: what agents send for an option that was not set. */
function isEmpty(value: unknown): boolean {
  if (Array.isArray(value)) return value.every(isEmpty);
  if (isObject(value)) return Object.values(value).every(isEmpty);
  return value === null || value === undefined || value === false || value === '' || value === 0;
}
