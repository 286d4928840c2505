/**
 * Checks options of programs without types.
 * Invariant: unknown options are rejected, because a mistyped one may protect a tunnel.
 */
import { X509Certificate } from 'node:crypto';
import { parseFingerprint } from '@underpass/client/fingerprint';
import { mostSimilar } from '@underpass/wire/similar';
import { InvalidInput } from './address.ts';
import type { AgentOptions, ForwardOptions, InspectOptions } from './agent-options.ts';
import { checkConnections, checkHeartbeat, checkTunnelValues } from './check-values.ts';

/** The only values of some options; an empty one requests nothing. */
const CHOICES = {
  protocol: ['http', 'tls', 'tcp'],
  scheme: ['http', 'https', ''],
  upstreamProtocol: ['http1', 'http2', ''],
  proxyProtocol: [1, 2, 0],
} as const;

/** The required kind of a value; `other`: checked elsewhere, or by the service. */
type Kind =
  | 'text'
  | 'flag'
  | 'number'
  | 'callable'
  | 'texts'
  | 'labels'
  | 'pem'
  | 'fingerprint'
  | 'signal'
  | keyof typeof CHOICES
  | 'other';
/** An option's kind, or the options in it, or in each element of its list. */
type Shape<T> = { readonly [K in keyof Required<T>]: Kind | ShapeOf<NonNullable<T[K]>> };
type ShapeOf<V> = V extends readonly (infer E)[]
  ? E extends object
    ? readonly [Shape<E>]
    : never
  : V extends object
    ? Shape<V>
    : never;

const users = { emails: 'texts', domains: 'texts' } as const;
const headers = { add: 'texts', remove: 'texts' } as const;
const ranges = { allow: 'texts', deny: 'texts' } as const;
const client = { clientId: 'text', clientSecret: 'text', allow: users, scopes: 'texts' } as const;

type ServiceShape = Shape<AgentOptions & InspectOptions>;

const service: ServiceShape = {
  ...{ server: 'text', authtoken: 'text', ca: 'pem', caFingerprint: 'fingerprint', signal: 'signal' },
  ...{ connections: 'number', onConnections: 'callable' },
  ...{ onState: 'callable', onLatency: 'callable', random: 'callable', inspects: 'callable' },
  heartbeat: { intervalMs: 'number', toleranceMs: 'number' },
  ...{ inspect: 'text', onInspector: 'callable' },
};

const tunnel: Shape<ForwardOptions> = {
  ...{ proto: 'protocol', scheme: 'scheme', domain: 'text', address: 'text' },
  upstreamProtocol: 'upstreamProtocol',
  ...{
    metadata: 'text',
    description: 'text',
    pooling: 'flag',
    proxyProtocol: 'proxyProtocol',
    labels: 'labels',
  },
  termination: { certificate: 'pem', key: 'text' },
  modules: {
    ...{ requestHeaders: headers, responseHeaders: headers, compression: 'flag', circuitBreaker: 'number' },
    ...{ basicAuth: [{ username: 'text', password: 'text' }], cidrs: ranges, userAgents: ranges },
    ...{ websocketTcpConverter: 'flag', mutualTlsCa: 'pem', webhook: { provider: 'text', secret: 'text' } },
    ...{
      oauth: { provider: 'text', ...client },
      oidc: { issuer: 'text', allowUnverifiedEmail: 'flag', ...client },
    },
  },
  ...{ onBound: 'callable', onRefused: 'callable', onExchange: 'callable', onUpstreamError: 'callable' },
  ...{ inspection: 'other', upstreamTls: { ca: 'pem' }, upstreamSni: 'text' },
};

/** Checks the options of `connect`. Throws InvalidInput. */
export function checkServiceOptions(options: object): void {
  checkShape(options, service, '');
  refuseTwoAuthorities(options);
  checkHeartbeat((options as AgentOptions).heartbeat);
  checkConnections((options as AgentOptions).connections);
}

/** Throws InvalidInput. */
function refuseTwoAuthorities({ ca, caFingerprint }: Partial<AgentOptions>): void {
  if (ca !== undefined && caFingerprint !== undefined)
    throw wrong('caFingerprint', 'and "ca" both name the authority. Give one of them');
}

/** Checks the options of a tunnel on an existing session. Throws InvalidInput. */
export function checkTunnelOptions(options: object): void {
  checkShape(options, tunnel, '');
  refuseMisfits(options);
  checkTunnelValues(options);
}

/** Options about the local server, which a listener lacks. */
const OF_FORWARD = ['upstreamTls', 'upstreamSni', 'onExchange', 'onUpstreamError'] as const;

/** Throws InvalidInput for an option that has an effect in `forward` alone. */
export function refuseForwardOptions(options: ForwardOptions): void {
  const idle = OF_FORWARD.find((key) => (options[key] ?? null) !== null);
  if (idle !== undefined)
    throw wrong(idle, 'is for forward, and not for listen, which has no local server. Leave it out');
}

/** Splits the options of a tunnel with its own session: options of the session, and of the tunnel. Throws InvalidInput. */
export function splitOptions<T extends object>(options: T): { readonly ofSession: T; readonly ofTunnel: T } {
  checkShape(options, { ...service, ...tunnel }, '');
  refuseMisfits(options);
  checkTunnelValues(options);
  refuseTwoAuthorities(options);
  checkHeartbeat((options as AgentOptions).heartbeat);
  checkConnections((options as AgentOptions).connections);
  const only = (isWanted: (key: string) => boolean) =>
    Object.fromEntries(Object.entries(options).filter(([key]) => isWanted(key))) as T;
  return { ofSession: only((key) => key in service), ofTunnel: only((key) => !(key in service)) };
}

/** Options that binds of the other protocols have no place for. */
const PROTOCOLS: Partial<Record<keyof ForwardOptions, readonly string[]>> = {
  domain: ['http', 'tls'],
  address: ['tcp'],
  scheme: ['http'],
  termination: ['tls'],
  upstreamProtocol: ['http'],
};
/** Options that a labelled tunnel has on its edge instead. */
const OF_EDGES: readonly (keyof ForwardOptions)[] = [
  ...(['domain', 'address', 'scheme', 'termination', 'proxyProtocol'] as const),
  ...(['pooling', 'description', 'modules'] as const),
];

/** Rejects options that do not fit the protocol, because an ignored one may restrict access. `options` are of the shape. */
function refuseMisfits(options: ForwardOptions): void {
  const { proto = 'http', labels } = options;
  const isGiven = (key: keyof ForwardOptions) => !isNothing(key, options[key]);
  for (const [key, protocols] of Object.entries(PROTOCOLS))
    if (isGiven(key as keyof ForwardOptions) && !protocols.includes(proto))
      throw wrong(key, `is not for tunnels of the protocol ${proto}, only for ${protocols.join(' and ')}`);
  const idle = labels === undefined ? undefined : OF_EDGES.find(isGiven);
  if (idle !== undefined)
    throw wrong(idle, 'is not for a tunnel with labels, which has no name of its own. Its edges have that');
}

/**
 * Returns true for the value of an absent option in a bind. An empty `termination` requests something, empty
 * `modules` do not.
 */
function isNothing(key: keyof ForwardOptions, value: unknown): boolean {
  if (key === 'modules') return Object.values(value ?? {}).every((module) => module === undefined);
  return value === undefined || value === false || value === '' || value === 0;
}

type AnyShape = { readonly [key: string]: Kind | AnyShape | readonly [AnyShape] };

/** `at`: path of the value, '' for the options themselves. */
function checkShape(value: unknown, shape: AnyShape, at: string): void {
  if (!isObject(value)) throw wrong(at, 'has to be an object');
  for (const [key, one] of Object.entries(value)) {
    const path = at === '' ? key : `${at}.${key}`;
    const kind = Object.hasOwn(shape, key) ? shape[key] : undefined;
    if (kind === undefined) throw unknown(path, mostSimilar(key, Object.keys(shape)));
    if (one !== undefined) checkValue(one, kind, path);
  }
}

function checkValue(value: unknown, kind: Kind | AnyShape | readonly [AnyShape], at: string): void {
  if (typeof kind === 'string') {
    const problem = PROBLEMS[kind](value);
    if (problem !== null) throw wrong(at, problem);
  } else if (isList(kind)) {
    if (!Array.isArray(value)) throw wrong(at, 'has to be a list');
    for (const [index, one] of value.entries()) checkShape(one, kind[0], `${at}[${index}]`);
  } else checkShape(value, kind, at);
}

/** Null: it is one. */
const PROBLEMS: Readonly<Record<Kind, (value: unknown) => string | null>> = {
  text: (value) => (typeof value === 'string' ? null : 'has to be a text'),
  flag: (value) => (typeof value === 'boolean' ? null : 'has to be true or false'),
  number: (value) => (typeof value === 'number' && !Number.isNaN(value) ? null : 'has to be a number'),
  // As good as left out.
  callable: (value) => (value === null || typeof value === 'function' ? null : 'has to be a function'),
  texts: (value) =>
    Array.isArray(value) && value.every((one) => typeof one === 'string')
      ? null
      : 'has to be a list of texts',
  labels: (value) =>
    isObject(value) && Object.values(value).every((one) => typeof one === 'string')
      ? null
      : 'has to be an object of texts',
  pem: (value) => {
    if (typeof value !== 'string') return 'has to be a text: the PEM itself';
    return isPem(value) ? null : 'holds no certificate. Give the PEM itself, not the path of a file';
  },
  fingerprint: (value) => {
    if (typeof value !== 'string') return 'has to be a text: "sha256:" and hexadecimal digits';
    const read = parseFingerprint(value);
    return 'fault' in read ? `is not a fingerprint. ${read.fault.replace(/\.$/, '')}` : null;
  },
  // Null is as good as left out.
  signal: (value) => (value === null || isSignal(value) ? null : 'has to be an AbortSignal'),
  protocol: (value) => choiceFault(CHOICES.protocol, value),
  scheme: (value) => choiceFault(CHOICES.scheme, value),
  upstreamProtocol: (value) => choiceFault(CHOICES.upstreamProtocol, value),
  proxyProtocol: (value) => choiceFault(CHOICES.proxyProtocol, value),
  other: () => null,
};

/** Signals of other realms are no instances of this one's class. */
function isSignal(value: unknown): boolean {
  if (!isObject(value)) return false;
  const { aborted, addEventListener } = value as Partial<AbortSignal>;
  return typeof aborted === 'boolean' && typeof addEventListener === 'function';
}

/** Null: it is one of the values. */
function choiceFault(values: readonly unknown[], value: unknown): string | null {
  if (values.includes(value)) return null;
  return `has to be ${values
    .filter((one) => one !== '' && one !== 0)
    .map((one) => JSON.stringify(one))
    .join(' or ')}`;
}

function isPem(text: string): boolean {
  try {
    return new X509Certificate(text).subject !== null;
  } catch {
    return false;
  }
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isList(kind: AnyShape | readonly [AnyShape]): kind is readonly [AnyShape] {
  return Array.isArray(kind);
}

function wrong(at: string, problem: string): InvalidInput {
  return new InvalidInput(`${at === '' ? 'What is given as options' : `The option "${at}"`} ${problem}.`, at);
}

function unknown(at: string, meant: string | null): InvalidInput {
  const what =
    meant === null ? 'docs/build/typescript.md has those that there are.' : `Did you mean "${meant}"?`;
  return new InvalidInput(`There is no option "${at}". ${what}`, at);
}
