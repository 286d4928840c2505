/**
 * What a name leads to, as the front door and the HTTP engine see it.
 * In: nothing. Out: types. What may change here: what an edge or endpoint can be told to do; never how it is looked up.
 */

import type { Hostname } from '../core/hostname.ts';
import type { IpRule } from '../core/ip-rules.ts';
import type { ErrorName } from '../errors/catalogue.ts';
import type { LiveTunnel } from '../tunnels/online.ts';

export interface FixedResponse {
  readonly kind: 'http_response';
  readonly status: number;
  /** Lower-case names, already checked. */
  readonly headers: readonly (readonly [string, string])[];
  readonly body: Buffer;
}
export interface TunnelGroup {
  readonly kind: 'tunnel_group';
  readonly account: string;
  readonly labels: ReadonlyMap<string, string>;
}
export interface SingleTunnel {
  readonly kind: 'tunnel';
  readonly tunnel: LiveTunnel;
}
export type Backend = FixedResponse | TunnelGroup | SingleTunnel;

/** How TLS is terminated for a name; two targets with equal `key` may share a connection. */
export interface Termination {
  readonly key: string;
  readonly minVersion: 'TLSv1' | 'TLSv1.1' | 'TLSv1.2' | 'TLSv1.3';
}

const versions: readonly (string | null)[] = ['TLSv1', 'TLSv1.1', 'TLSv1.2', 'TLSv1.3'];

/**
 * Whether a connection with this version of TLS, made under other settings for the same name, may go on under these: an honest
 * visitor then notices no change. The compiler sees to it that no setting is forgotten here.
 */
export function meets({ key: _, minVersion, ...others }: Termination, version: string | null): boolean {
  others satisfies Record<string, never>;
  return versions.indexOf(version) >= versions.indexOf(minVersion);
}

export interface Target {
  /** `edgtls_…`, `edghts_…` or `ep_…`; where nothing is online `rd_…` or the name that is held: for logs and metrics. */
  readonly id: string;
  readonly account: string;
  /** Agent protocol, section 6. */
  readonly edgeType: '0' | '2' | '3';
  /** Null: TLS passes through to the backend. */
  readonly termination: Termination | null;
  /** Set when the target may not serve (a module without effect yet, a disabled or missing backend): fail closed with this. */
  readonly refusal: ErrorName | null;
  /** The same object in another target: what serves is the same, only who is served may differ. */
  readonly backend: Backend | null;
  /** What an address must pass to be served, as the IP restriction says; absent: everybody is. */
  readonly sources?: readonly IpRule[];
}

/** The route table: pure look-up on state that follows the store and the tunnels. Called per request: cheap. */
export interface Targets {
  /** Exact name, then the longest wildcard; undefined for a name that does not exist. */
  lookup(hostname: Hostname): Target | undefined;
}

/** Targets that say when they change, so that what is live under the old ones ends. */
export interface LiveTargets extends Targets {
  /** Called after each change that makes a look-up answer differently; a target that stays the same object is unchanged. */
  onChange(listener: () => void): void;
}
