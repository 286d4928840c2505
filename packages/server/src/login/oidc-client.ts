/**
 * Logs users in by OpenID Connect, with the authorization code flow and PKCE (OpenID Connect Core, section 3.1; RFC 7636).
 * Invariant: an ID token is accepted only after its signature, issuer, audience, nonce and times were checked.
 */
import * as oidc from 'openid-client';
import { isSharedIssuer } from '../core/modules/oidc-settings.ts';
import { LoginFault } from './login-fault.ts';
import { mergedClaims, userFrom } from './oidc-user.ts';
import type { LoginUser } from './session.ts';

export interface OidcSettings {
  /** URL at which discovery begins. */
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string;
  /** Scopes beside `openid`. */
  readonly scopes: readonly string[];
  /** True if addresses count that the provider states to be unverified. Absent: false. */
  readonly takesUnverified?: boolean;
  /** True if the provider must serve one tenant, because its addresses decide about access. Absent: false. */
  readonly needsOneTenant?: boolean;
  /** The claim with the groups of a user. Absent: `groups`. */
  readonly groupsClaim?: string;
}

/** Values that identify a login. */
export interface OidcFlow {
  readonly redirectUri: string;
  readonly state: string;
  readonly nonce: string;
  /** The code verifier of PKCE. */
  readonly verifier: string;
}

/** The user and the ID token; '' if the token is not used later. */
export interface OidcIdentity {
  readonly user: LoginUser;
  readonly idToken: string;
}

/** Milliseconds for which metadata is used. */
const metadataMs = 60 * 60_000;
/** Milliseconds until the next request to an unreachable provider, so that visitors cannot cause endless requests. */
const retryMs = 5_000;
/** Clocks may be so far apart, in seconds. */
const skewSeconds = 60;
const mostWords = 255;

interface Discovered {
  readonly at: number;
  readonly configuration: Promise<oidc.Configuration>;
  hasFailed: boolean;
}

export class OidcClient {
  readonly #settings: OidcSettings;
  readonly #fetch: oidc.CustomFetch;
  readonly #now: () => number;
  #discovered: Discovered | null = null;

  /** `now`: in milliseconds. */
  constructor(settings: OidcSettings, fetch: oidc.CustomFetch, now: () => number) {
    this.#settings = settings;
    this.#fetch = fetch;
    this.#now = now;
  }

  /** Returns the URL at which the user logs in. Rejects with LoginFault. */
  async loginUrl({ redirectUri, state, nonce, verifier }: OidcFlow, isForced: boolean): Promise<string> {
    const configuration = await this.#configuration();
    const code_challenge = await oidc.calculatePKCECodeChallenge(verifier);
    try {
      return oidc.buildAuthorizationUrl(configuration, {
        redirect_uri: redirectUri,
        scope: [...new Set(['openid', ...this.#settings.scopes])].join(' '),
        ...{ state, nonce, code_challenge, code_challenge_method: 'S256' },
        ...(isForced ? { prompt: 'login' } : {}),
      }).href;
    } catch (error) {
      throw providerFault('metadata', reasonOf(error));
    }
  }

  /** Returns the user that came back. Rejects with LoginFault. */
  async userOf(query: URLSearchParams, flow: OidcFlow): Promise<OidcIdentity> {
    const configuration = await this.#configuration();
    const back = new URL(flow.redirectUri);
    back.search = query.toString();
    try {
      const tokens = await oidc.authorizationCodeGrant(configuration, back, {
        expectedState: flow.state,
        expectedNonce: flow.nonce,
        pkceCodeVerifier: flow.verifier,
        idTokenExpected: true,
      });
      const claims = tokens.claims()!;
      const { userinfo_endpoint, end_session_endpoint } = configuration.serverMetadata();
      const info =
        userinfo_endpoint === undefined
          ? {}
          : await oidc.fetchUserInfo(configuration, tokens.access_token, claims.sub);
      const idToken = end_session_endpoint === undefined ? '' : (tokens.id_token ?? '');
      const merged = mergedClaims(claims, info);
      const { takesUnverified, groupsClaim = 'groups' } = this.#settings;
      const user = userFrom({ ...merged, groups: merged[groupsClaim] }, takesUnverified);
      if (user.id !== '') return { user, idToken };
    } catch (error) {
      throw asFault(error);
    }
    throw new LoginFault(
      'loginRefused',
      'user',
      'the name of the user is empty, too long, or has control characters',
    );
  }

  /**
   * Returns the URL at which the user's session ends, with `back` as the return address; null: none. Rejects with LoginFault. See OpenID
   * Connect RP-Initiated Logout 1.0.
   */
  async logoutUrl(idToken: string, back: string): Promise<string | null> {
    const configuration = await this.#configuration();
    if (configuration.serverMetadata().end_session_endpoint === undefined) return null;
    const hint = idToken === '' ? {} : { id_token_hint: idToken };
    try {
      return oidc.buildEndSessionUrl(configuration, { ...hint, post_logout_redirect_uri: back }).href;
    } catch (error) {
      throw providerFault('metadata', reasonOf(error));
    }
  }

  async #configuration(): Promise<oidc.Configuration> {
    const known = this.#discovered;
    const lifetime = known?.hasFailed === true ? retryMs : metadataMs;
    const age = this.#now() - (known?.at ?? 0);
    // A negative age means that the clock was ahead, so the age is unknown.
    if (known !== null && age >= 0 && age < lifetime) return await known.configuration;
    const configuration = this.#discover();
    const discovered: Discovered = { at: this.#now(), configuration, hasFailed: false };
    this.#discovered = discovered;
    configuration.catch(() => {
      discovered.hasFailed = true;
    });
    return await configuration;
  }

  async #discover(): Promise<oidc.Configuration> {
    const { issuer, clientId, clientSecret, needsOneTenant = false } = this.#settings;
    try {
      const configuration = await oidc.discovery(
        new URL(issuer),
        clientId,
        { client_secret: clientSecret, [oidc.clockTolerance]: skewSeconds },
        authentication(clientSecret),
        { [oidc.customFetch]: this.#fetch, execute: [oidc.enableNonRepudiationChecks] },
      );
      if (needsOneTenant) refuseSharedIssuer(configuration.serverMetadata().issuer);
      return configuration;
    } catch (error) {
      if (error instanceof LoginFault) throw error;
      throw providerFault('discovery', `the metadata of ${issuer} could not be had: ${reasonOf(error)}`);
    }
  }
}

function refuseSharedIssuer(issuer: string): void {
  if (!isSharedIssuer(issuer)) return;
  const reason = `${issuer.slice(0, mostWords)} serves every tenant, so its addresses prove nothing for a list`;
  throw providerFault('issuer', reason);
}

/**
 * Basic authentication, which every provider supports unless its metadata lists other methods (OpenID Connect
 * Discovery, section 3).
 */
function authentication(secret: string): oidc.ClientAuth {
  const [basic, post] = [oidc.ClientSecretBasic(secret), oidc.ClientSecretPost(secret)];
  return (as, client, body, headers) => {
    const methods = as.token_endpoint_auth_methods_supported;
    const isBasic = methods === undefined || methods.includes('client_secret_basic');
    return (isBasic ? basic : post)(as, client, body, headers);
  };
}

function providerFault(check: string, reason: string): LoginFault {
  return new LoginFault('loginProviderFailed', check, reason);
}

/** `check` is the code that the library, or the provider, has for what is wrong. */
function asFault(error: unknown): LoginFault {
  if (error instanceof oidc.AuthorizationResponseError)
    return new LoginFault('loginRefused', error.error, said('the provider answered', error));
  if (error instanceof oidc.ResponseBodyError)
    return new LoginFault('loginRefused', error.error, said('the token endpoint answered', error));
  if (error instanceof oidc.ClientError && refusals.has(error.code ?? ''))
    return new LoginFault('loginRefused', error.code ?? '', reasonOf(error));
  return providerFault('request', reasonOf(error));
}

/** Codes of invalid responses; other codes mean that there was no response. */
const refusals: ReadonlySet<string> = new Set([
  'OAUTH_INVALID_RESPONSE',
  'OAUTH_JSON_ATTRIBUTE_COMPARISON_FAILED',
  'OAUTH_JWT_CLAIM_COMPARISON_FAILED',
  'OAUTH_JWT_TIMESTAMP_CHECK_FAILED',
  'OAUTH_KEY_SELECTION_FAILED',
  'OAUTH_UNSUPPORTED_OPERATION',
]);

function said(
  who: string,
  { error, error_description: words = '' }: oidc.ResponseBodyError | oidc.AuthorizationResponseError,
): string {
  return `${who} ${error.slice(0, mostWords)}: ${words.slice(0, mostWords)}`;
}

/** The library's words, with what was expected and what came, which are in the causes. */
function reasonOf(error: unknown): string {
  const words: string[] = [];
  let cause = error;
  for (; cause instanceof Error && words.length < 4; cause = cause.cause) words.push(cause.message);
  const { claim, attribute, expected } = (
    typeof cause === 'object' && cause !== null ? cause : {}
  ) as Readonly<Record<string, unknown>>;
  const facts = Object.entries({ claim, attribute, expected }).flatMap(([name, value]) =>
    typeof value === 'string' ? `${name} ${value}` : [],
  );
  return [...words, ...facts].map((text) => text.slice(0, mostWords)).join('; ');
}
