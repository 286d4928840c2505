/** Stored shapes of reserved names and addresses. */
import type { Hostname, HostPattern } from '../core/names/hostname.ts';
import type { ManagedCertificate } from './certificates.ts';
import type { Described } from './described.ts';

export type ReservedDomainDocument = Described & {
  readonly domain: HostPattern;
  readonly region: string;
  /** `''` for names below the shared domain. */
  readonly cname_target: string;
  /** `cert_…`, uploaded or issued; absent in older documents. */
  readonly certificate_id?: string | null;
  /** Absent in older documents. */
  readonly certificate_management_policy?: ManagedCertificate | null;
  /** The value as the request gave it; absent: []. */
  readonly resolves_to?: readonly { readonly value: string }[];
  /** `ec_…`, like the other; absent in older documents. */
  readonly http_endpoint_configuration_id?: string | null;
  readonly https_endpoint_configuration_id?: string | null;
};

/** A reserved address is a port, because the host is always this service. */
export type ReservedAddrDocument = Described & {
  readonly hostname: Hostname;
  readonly port: number;
  readonly region: string;
  /** `ec_…` */
  readonly endpoint_configuration_id: string | null;
};
