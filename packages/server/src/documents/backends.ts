/** Stored shapes of backends. */
import type { Described } from './described.ts';

export type HttpResponseBackendDocument = Described & {
  readonly body: string;
  /** Lower-case names. */
  readonly headers: Readonly<Record<string, string>>;
  readonly status_code: number;
};

export type TunnelGroupBackendDocument = Described & {
  readonly labels: Readonly<Record<string, string>>;
};

export type FailoverBackendDocument = Described & {
  /** Ids of the backends, in the order in which they are tried. */
  readonly backends: readonly string[];
};

export type WeightedBackendDocument = Described & {
  /** Weight by id, 0 to 10000; not all are 0. */
  readonly backends: Readonly<Record<string, number>>;
};

export type StaticBackendDocument = Described & {
  /** A canonical host name, or an IP address in its canonical text without brackets. */
  readonly host: string;
  readonly port: number;
  readonly tls: { readonly enabled: boolean };
};
