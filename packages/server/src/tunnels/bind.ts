/** Bind, StartTunnelWithLabel and PatchTunnelState as agents write them (agent protocol, section 5), read and checked: pure. */

import type { Target } from '../core/names/bind-target.ts';
import { Problem } from '../errors/problem.ts';
import type { AgentModules } from '../online/agent-modules.ts';
import type { TunnelTermination } from '../online/online.ts';
import type { ProxyProtocolVersion, TunnelProtocol } from '../online/tunnel-facts.ts';
import { readLabels } from './labels.ts';
import type { RequestedName } from './names.ts';
import {
  integerField,
  isObject,
  malformed,
  objectField,
  type Reading,
  shown,
  switchField,
  textField,
  textListField,
} from './options/fields.ts';
import { readModules } from './options/index.ts';
import type { OptionContext } from './options/option.ts';
import { isProtocol, protocols } from './options/protocols.ts';
import { refuseBindings, refuseUnavailableExtras, refuseUnavailableOptions } from './options/unavailable.ts';
import { readTermination } from './termination.ts';

const idLimit = 255;
const metadataLimit = 4096;
const shortTextLimit = 255;
const forwardsToLimit = 2048;

export interface BindRequest {
  /** '' when the service is to make one. */
  readonly id: string;
  readonly proto: TunnelProtocol;
  readonly forwardsTo: string;
  /** True if the service speaks HTTP/2. */
  readonly speaksHttp2: boolean;
  readonly metadata: string;
  /** The endpoint's name for people. */
  readonly name: string;
  readonly description: string;
  /** The proof from an earlier answer; '' without one. */
  readonly token: string;
  readonly requested: RequestedName;
  /** TLS settings; null for passthrough. */
  readonly termination: TunnelTermination | null;
  readonly proxyProtocol: ProxyProtocolVersion | null;
  readonly isPooled: boolean;
  readonly options: object | null;
  readonly modules: AgentModules;
}

export interface LabelledRequest {
  readonly labels: ReadonlyMap<string, string>;
  readonly forwardsTo: string;
  /** True if the service speaks HTTP/2. */
  readonly speaksHttp2: boolean;
  readonly metadata: string;
}

/** Null: unchanged. */
export interface TunnelPatch {
  readonly tunnelId: string;
  readonly metadata: string | null;
  readonly name: string | null;
  readonly description: string | null;
  readonly isPooled: boolean | null;
}

export function readBind(request: unknown, settings: OptionContext['settings']): BindRequest {
  const reading: Reading = { code: 'bindRequestMalformed', request: 'Bind' };
  requireObject(request, reading);
  const proto = textField(request, 'Proto', reading);
  if (!isProtocol(proto)) {
    throw new Problem('bindProtocolUnavailable', {
      proto: shown(proto),
      supported: Object.keys(protocols).join(', '),
    });
  }
  const options = objectField(request, 'Opts', reading);
  const extra = objectField(request, 'Extra', reading);
  refuseUnavailableOptions(proto, options);
  refuseUnavailableExtras(extra);
  refuseBindings(textListField(extra, 'Bindings', reading));
  const modules = readModules(proto, options, { settings, reading });
  const termination = proto === 'tls' ? readTermination(options, reading) : null;
  if (proto === 'tls' && termination === null && modules.mutual_tls !== undefined) {
    throw new Problem('bindMutualTlsPassing');
  }
  return {
    id: limitedText(request, 'Id', idLimit, reading),
    proto,
    forwardsTo: limitedText(request, 'ForwardsTo', forwardsToLimit, reading),
    speaksHttp2: readForwardsProto(request, reading),
    metadata: limitedText(extra, 'Metadata', metadataLimit, reading),
    name: limitedText(extra, 'Name', shortTextLimit, reading),
    description: limitedText(extra, 'Description', shortTextLimit, reading),
    token: textField(extra, 'Token', reading),
    requested: readRequestedName(proto, options, reading),
    termination,
    proxyProtocol: readProxyProtocol(options, reading),
    isPooled: switchField(extra, 'PoolingEnabled', reading) ?? false,
    options,
    modules,
  };
}

/** Null: the service gets no visitors' addresses. */
function readProxyProtocol(options: object | null, reading: Reading): ProxyProtocolVersion | null {
  const version = integerField(options, 'ProxyProto', reading);
  if (version === 0) return null;
  if (version === 1 || version === 2) return version;
  throw new Problem('bindProxyProtocol', { version });
}

function readRequestedName(proto: TunnelProtocol, options: object | null, reading: Reading): RequestedName {
  return {
    proto,
    url: textField(options, 'URL', reading),
    domain: textField(options, 'Domain', reading),
    hostname: textField(options, 'Hostname', reading),
    subdomain: textField(options, 'Subdomain', reading),
    addr: textField(options, 'Addr', reading),
  };
}

export function readLabelled(request: unknown): LabelledRequest {
  const reading: Reading = { code: 'bindRequestMalformed', request: 'StartTunnelWithLabel' };
  requireObject(request, reading);
  return {
    labels: readLabels(request, reading),
    forwardsTo: limitedText(request, 'ForwardsTo', forwardsToLimit, reading),
    speaksHttp2: readForwardsProto(request, reading),
    metadata: limitedText(request, 'Metadata', metadataLimit, reading),
  };
}

export function readPatch(request: unknown): TunnelPatch {
  const reading: Reading = { code: 'bindRequestMalformed', request: 'PatchTunnelState' };
  requireObject(request, reading);
  refuseUnavailableExtras(request);
  const changed = (field: string, limit: number): string | null => {
    const text = limitedText(request, field, limit, reading);
    return isGiven(request as object, field) ? text : null;
  };
  return {
    tunnelId: textField(request, 'TunnelId', reading),
    metadata: changed('Metadata', metadataLimit),
    name: changed('Name', shortTextLimit),
    description: changed('Description', shortTextLimit),
    isPooled: switchField(request, 'PoolingEnabled', reading),
  };
}

function isGiven(request: object, field: string): boolean {
  const name = field.toLowerCase();
  return Object.entries(request).some(([key, value]) => key.toLowerCase() === name && value !== null);
}

export function readUnbind(request: unknown): string {
  const reading: Reading = { code: 'bindRequestMalformed', request: 'Unbind' };
  requireObject(request, reading);
  return textField(request, 'Id', reading);
}

/** Fields of a bind about an earlier session, readable even if the bind has other faults. */
export interface EarlierBind {
  readonly id: string;
  readonly token: string;
  readonly proto: TunnelProtocol;
  readonly requested: RequestedName;
  readonly options: object | null;
}

/** Null for a bind that cannot be of an earlier session: without an id, a proof or a protocol, or with fields of wrong types. */
export function readEarlierBind(request: unknown): EarlierBind | null {
  const reading: Reading = { code: 'bindRequestMalformed', request: 'Bind' };
  try {
    const options = objectField(request, 'Opts', reading);
    const id = limitedText(request, 'Id', idLimit, reading);
    const proto = textField(request, 'Proto', reading);
    const token = textField(objectField(request, 'Extra', reading), 'Token', reading);
    if (id === '' || token === '' || !isProtocol(proto)) return null;
    return { id, token, proto, options, requested: readRequestedName(proto, options, reading) };
  } catch {
    return null;
  }
}

/**
 * Returns the options of a bind for its response: as the agent sent and spelled them, with the assigned name. Agents
 * send them again when they reconnect, so an option that is missing here would be lost.
 */
export function answeredOptions(
  proto: TunnelProtocol,
  options: object | null,
  { text, url }: Pick<Target, 'text' | 'url'>,
): Record<string, unknown> {
  const named = new Map([
    ['url', url],
    [proto === 'tcp' ? 'addr' : 'hostname', text],
  ]);
  const missing = new Map(
    Object.entries(protocols[proto].answered).map(([name, value]) => [
      name,
      named.get(name.toLowerCase()) ?? value,
    ]),
  );
  const answered = Object.entries(options ?? {}).map(([name, value]): [string, unknown] => {
    const key = name.toLowerCase();
    const always = [...missing].find(([known]) => known.toLowerCase() === key);
    if (always !== undefined) missing.delete(always[0]);
    return [name, named.get(key) ?? value ?? always?.[1] ?? null];
  });
  return Object.fromEntries([...answered, ...missing]);
}

function requireObject(request: unknown, reading: Reading): void {
  if (!isObject(request)) throw malformed(reading, 'it must be a JSON object');
}

/** Returns true if it is HTTP/2 with prior knowledge; what carries bytes carries whatever they are. */
function readForwardsProto(request: unknown, reading: Reading): boolean {
  const proto = textField(request, 'ForwardsProto', reading);
  if (proto !== '' && proto !== 'http1' && proto !== 'http2') {
    throw new Problem('bindModuleUnavailable', { module: `ForwardsProto "${shown(proto)}"` });
  }
  return proto === 'http2';
}

function limitedText(object: unknown, name: string, limit: number, reading: Reading): string {
  const text = textField(object, name, reading);
  const length = Buffer.byteLength(text);
  if (length > limit) throw new Problem('tunnelTextTooLong', { field: name, length, limit });
  return text;
}
