/** Stored shapes of the modules that edges, routes and endpoint configurations have. */
import type { OauthProvider } from '../core/oauth-providers.ts';

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
  /** Seconds, like the window; 0 everywhere stands for the default. */
  readonly tripped_duration: number;
  readonly rolling_window: number;
  readonly num_buckets: number;
  readonly volume_threshold: number;
  /** 0 to 1. */
  readonly error_threshold_percentage: number;
};

/** Who may log in, agents say with their binds. */
export type BasicAuthModule = {
  readonly enabled: boolean;
  readonly auth_provider_id: 'agent';
  /** `''` for the default. */
  readonly realm: string;
  /** Whether OPTIONS requests need no login. */
  readonly allow_options: boolean;
};

export type WebhookVerificationModule = {
  readonly enabled: boolean;
  /** As it was given: in any case. */
  readonly provider: string;
  /** See `webhookSecretContext`. */
  readonly secret_sealed: string;
};

/** Of a module that has nothing to set: compression, the WebSocket converter. */
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

/** What the modules have in common that have visitors log in. */
export type LoginModule = {
  readonly enabled: boolean;
  readonly options_passthrough: boolean;
  /** `''` for the default. */
  readonly cookie_prefix: string;
  /** Seconds, like the duration; 0 for none. */
  readonly inactivity_timeout: number;
  readonly maximum_duration: number;
  /** Sessions are of the one in which they began: another one when the module is put back, or is of another client. Shown to nobody. */
  readonly generation: string;
};

export type OidcModule = LoginModule & {
  /** An https URL, as it was given. */
  readonly issuer: string;
  readonly client_id: string;
  /** See `oidcSecretContext`. */
  readonly client_secret_sealed: string;
  readonly scopes: readonly string[];
};

/** A client at one of the providers, and whom of its users it is for: all when every list is empty. */
export type OauthProviderModule = {
  readonly name: OauthProvider;
  /** '' for the operator's. */
  readonly client_id: string;
  /** See `oauthSecretContext`; '' without a client of its own. */
  readonly client_secret_sealed: string;
  readonly scopes: readonly string[];
  readonly email_addresses: readonly string[];
  readonly email_domains: readonly string[];
  /** Of GitHub alone, like the organizations: `org/team`, or the number of a team. */
  readonly teams: readonly string[];
  readonly organizations: readonly string[];
};

export type OauthModule = LoginModule & {
  readonly provider: OauthProviderModule;
  /** Seconds; 0: the provider is asked at the login alone. */
  readonly auth_check_interval: number;
};

export type SamlModule = LoginModule & {
  /** As it was given, or was found at the URL; known to be readable. */
  readonly idp_metadata: string;
  /** Where it is asked for again; `''` where the document itself was given, as it was always before there were URLs. */
  readonly idp_metadata_url?: string;
  readonly force_authn: boolean;
  readonly allow_idp_initiated: boolean;
  readonly authorized_groups: readonly string[];
  /** Names of the attributes with groups; empty, or absent in documents from before the field: the usual ones. */
  readonly group_attributes?: readonly string[];
  readonly nameid_format: string;
  readonly request_signing_certificate_pem: string;
  /** PKCS#8 PEM, sealed for its certificate: see `signingKeyContext`. */
  readonly request_signing_key_sealed: string;
};

/** An HTTPS edge always terminates TLS: what is left to say is from which version on. */
export type HttpsTerminationModule = Pick<TlsTerminationModule, 'enabled' | 'min_version'>;
