/** Stored shapes of the modules of edges, routes and endpoint configurations. */
import type { OauthProvider } from '../core/modules/oauth-providers.ts';

export type BackendModule = {
  readonly enabled: boolean;
  readonly backend_id: string;
};

export type IpRestrictionModule = {
  readonly enabled: boolean;
  readonly ip_policy_ids: readonly string[];
};

export type MutualTlsModule = {
  readonly enabled: boolean;
  readonly certificate_authority_ids: readonly string[];
};

export type TlsTerminationModule = {
  readonly enabled: boolean;
  readonly terminate_at: 'edge' | 'upstream';
  /** `''` for the default. */
  readonly min_version: '' | '1.0' | '1.1' | '1.2' | '1.3';
};

export type CircuitBreakerModule = {
  readonly enabled: boolean;
  /** Seconds, like the window. 0 selects the default, in every field. */
  readonly tripped_duration: number;
  readonly rolling_window: number;
  readonly num_buckets: number;
  readonly volume_threshold: number;
  /** 0 to 1. */
  readonly error_threshold_percentage: number;
};

/** Basic authentication. The users come from the agents' binds. */
export type BasicAuthModule = {
  readonly enabled: boolean;
  readonly auth_provider_id: 'agent';
  /** `''` for the default. */
  readonly realm: string;
  /** True if OPTIONS requests need no login. */
  readonly allow_options: boolean;
};

export type WebhookVerificationModule = {
  readonly enabled: boolean;
  /** The provider's name as the request gave it, in any case. */
  readonly provider: string;
  /** See `webhookSecretContext`. */
  readonly secret_sealed: string;
};

/** A module without settings: compression, the WebSocket converter. */
export type SwitchModule = {
  readonly enabled: boolean;
};

/** Lower-case names. Removed first, then added. */
export type HeadersModule = {
  readonly enabled: boolean;
  readonly add: Readonly<Record<string, string>>;
  readonly remove: readonly string[];
};

/** Regular expressions in the syntax of RE2: see `core/re2-pattern.ts`. */
export type UserAgentFilterModule = {
  readonly enabled: boolean;
  readonly allow: readonly string[];
  readonly deny: readonly string[];
};

/** Fields of every module by which visitors log in. */
export type LoginModule = {
  readonly enabled: boolean;
  readonly options_passthrough: boolean;
  /** `''` for the default. */
  readonly cookie_prefix: string;
  /** Seconds, like the duration; 0 for no limit. */
  readonly inactivity_timeout: number;
  readonly maximum_duration: number;
  /**
   * Identifies the module's sessions. A new value ends them, when the module is replaced or its client changes. The API
   * never shows it.
   */
  readonly generation: string;
};

export type OidcModule = LoginModule & {
  /** An https URL, as the request gave it. */
  readonly issuer: string;
  readonly client_id: string;
  /** See `oidcSecretContext`. */
  readonly client_secret_sealed: string;
  readonly scopes: readonly string[];
};

/** An OAuth client at a provider, and the users that may log in: all if every list is empty. */
export type OauthProviderModule = {
  readonly name: OauthProvider;
  /** The client id; '' for the operator's client. */
  readonly client_id: string;
  /** See `oauthSecretContext`; '' for the operator's client. */
  readonly client_secret_sealed: string;
  readonly scopes: readonly string[];
  readonly email_addresses: readonly string[];
  readonly email_domains: readonly string[];
  /** `org/team`, or the number of a team. Only GitHub has them, and the organizations. */
  readonly teams: readonly string[];
  readonly organizations: readonly string[];
};

export type OauthModule = LoginModule & {
  readonly provider: OauthProviderModule;
  /** Seconds between two checks at the provider; 0 for a check at the login only. */
  readonly auth_check_interval: number;
};

export type SamlModule = LoginModule & {
  /** The metadata as the request gave it, or as the URL served it. It is known to parse. */
  readonly idp_metadata: string;
  /** The URL that the metadata is fetched from; '' or absent if the request gave the document. */
  readonly idp_metadata_url?: string;
  readonly force_authn: boolean;
  readonly allow_idp_initiated: boolean;
  readonly authorized_groups: readonly string[];
  /** Names of the attributes with groups. The usual names apply if it is empty, or absent in older documents. */
  readonly group_attributes?: readonly string[];
  readonly nameid_format: string;
  readonly request_signing_certificate_pem: string;
  /** PKCS#8 PEM, sealed for its certificate: see `signingKeyContext`. */
  readonly request_signing_key_sealed: string;
};

/** TLS termination of an HTTPS edge, which always terminates TLS. Only the version can be set. */
export type HttpsTerminationModule = Pick<TlsTerminationModule, 'enabled' | 'min_version'>;
