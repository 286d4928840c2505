/**
 * Signs users in to the console at an OpenID Connect provider.
 * Invariant: a sign-in ends only in the browser that began it, once, and with a group that has a role. A user who is
 * refused keeps no session.
 */
import type { Logger } from 'pino';
import type { SignIn } from '../access/console-links.ts';
import { grantBelow } from '../access/console-links.ts';
import type { ConsoleSessions } from '../access/console-sessions.ts';
import { type ConsoleOidcSettings, roleByGroups } from '../core/console-oidc.ts';
import { type Cidr, parseCidr } from '../core/ip/cidr.ts';
import type { DocumentStore } from '../documents/index.ts';
import { Problem } from '../errors/problem.ts';
import { type BegunFlow, type Flow, flowSeconds, isOfBrowser } from '../login/flows.ts';
import type { Login } from '../login/login.ts';
import { LoginFault } from '../login/login-fault.ts';
import { LoginTurns } from '../login/login-turns.ts';
import type { OidcClient, OidcFlow } from '../login/oidc-client.ts';
import type { LoginUser } from '../login/session.ts';
import type { ConsoleAccount } from './console-account.ts';
import { endSessionsOf } from './end-sessions.ts';
import { findUser, type ProviderUser, signedInUser } from './oidc-users.ts';

/** The path of the redirect URI, below the URL of the console. */
export const CALLBACK = '/ui/oidc/callback';

/** The operator names the provider, which is often inside. */
const ANYWHERE = ['0.0.0.0/0', '::/0'].map((text) => parseCidr(text) as Cidr);

export interface OidcSignInDeps {
  readonly store: DocumentStore;
  readonly account: Pick<ConsoleAccount, 'id'>;
  readonly sessions: Pick<ConsoleSessions, 'end'>;
  readonly login: Pick<Login, 'flows' | 'records' | 'key' | 'now'>;
  readonly settings: ConsoleOidcSettings;
  /** URL of the console, without a slash at its end. */
  readonly url: string;
  readonly log: Pick<Logger, 'info' | 'warn'>;
}

/** A request of a browser, in the audit trail. */
interface OidcRequest {
  readonly address: string;
  readonly operationId: string;
}

export interface OidcVisit extends OidcRequest {
  /** Content of the cookie of sign-ins; '' for none. */
  readonly browser: string;
  /** Raises Problem if the address may not use the console of the account. */
  readonly admit: (account: string) => void;
}

export class OidcSignIn {
  /** Host of the issuer. */
  readonly host: string;
  readonly url: string;
  /** Seconds in which a sign-in has to be finished. */
  readonly seconds = flowSeconds;
  readonly #deps: OidcSignInDeps;
  readonly #turns: LoginTurns;
  readonly #place: string;
  #client: Promise<OidcClient> | null = null;

  constructor(deps: OidcSignInDeps) {
    const { settings, login, url } = deps;
    const { issuer, clientId, clientSecret } = settings;
    this.#deps = deps;
    this.host = new URL(issuer).host;
    this.url = url;
    this.#turns = new LoginTurns(login.now);
    // Another client, or another secret, ends the sign-ins under way.
    const parts = JSON.stringify(['console', issuer, clientId, clientSecret]);
    this.#place = login.key.secretOf('console oidc', parts);
  }

  /** Returns the URL of the provider at which a browser signs in. Raises Problem. */
  async begin({ browser, address, operationId, admit }: OidcVisit): Promise<string> {
    return await this.#guarded(address, operationId, async () => {
      this.#turns.begin(address);
      admit(this.#account());
      const { flows } = this.#deps.login;
      const begun = flows.begin({ place: this.#place, host: '', target: '/', browser });
      return await (await this.#opened()).loginUrl(this.#known(begun), false);
    });
  }

  /** Returns the caller that came back from the provider. Raises Problem. */
  async finish(query: string, { browser, address, operationId, admit }: OidcVisit): Promise<SignIn> {
    return await this.#guarded(address, operationId, async () => {
      const sent = new URLSearchParams(query);
      const flow = this.#flowOf(sent.get('state') ?? '', browser);
      const account = this.#account();
      admit(account);
      const state = sent.get('state') ?? '';
      return await this.#turns.finish(address, async () => {
        const known = this.#known({ flow, state });
        const { user } = await (await this.#opened()).userOf(sent, known);
        const until = flow.begunAt + flowSeconds * 1000;
        if (!(await this.#deps.login.records.use(`flow ${flow.id}`, until)))
          throw new LoginFault('loginUsed', 'replay', 'the sign-in was finished before');
        return await this.#signIn(account, user, { address, operationId });
      });
    });
  }

  async #signIn(account: string, user: LoginUser, request: OidcRequest): Promise<SignIn> {
    const { issuer } = this.#deps.settings;
    const email = user.isEmailVerified ? user.email : '';
    const described = { issuer, subject: user.id, name: user.name, email };
    try {
      return await this.#admit(account, described, user);
    } catch (error) {
      // A fault of the service refuses no user.
      const isRefused = error instanceof LoginFault || error instanceof Problem;
      if (isRefused) await this.#endSessions(account, described, request);
      throw error;
    }
  }

  /** Raises Problem or LoginFault if the user may not sign in. */
  async #admit(account: string, described: ProviderUser, user: LoginUser): Promise<SignIn> {
    const { store, settings } = this.#deps;
    const role = roleByGroups(user.groups, settings.roles);
    if (role === null) throw noRole(user, settings);
    const { id, body } = await signedInUser(store, account, described, role);
    if (!body.active) throw new Problem('consoleOidcInactive', { host: this.host, id });
    const grant = await grantBelow(store, { account, parent: id });
    if ('fault' in grant) throw new Problem(grant.fault);
    return { grant, link: null, way: 'oidc' };
  }

  /** Ends all sessions of a refused user. An unknown one has none. */
  async #endSessions(account: string, described: ProviderUser, request: OidcRequest): Promise<void> {
    const known = await findUser(this.#deps.store, account, described);
    if (known === null) return;
    const { id, body } = known;
    const grant = { account, owner: id, role: body.role, subject: body.email, key: id };
    await endSessionsOf(this.#deps, { ...grant, operation: 'console_oidc_refusal', ...request });
  }

  #flowOf(state: string, browser: string): Flow {
    const { flows } = this.#deps.login;
    const flow = flows.open(state);
    if (flow === null) throw unfinished('state', 'the state was not made here');
    if (flow.place !== this.#place)
      throw unfinished('state', 'the state is that of another login, or of before a change of options');
    if (flows.isTooOld(flow)) throw unfinished('time', 'the sign-in took too long');
    if (!isOfBrowser(flow, browser))
      throw unfinished('browser', 'the sign-in was begun in another browser, or its cookie is missing');
    return flow;
  }

  #known({ flow, state }: BegunFlow): OidcFlow {
    const { flows } = this.#deps.login;
    return {
      ...{ redirectUri: `${this.url}${CALLBACK}`, state },
      nonce: flows.secretOf(flow, 'nonce'),
      verifier: flows.secretOf(flow, 'verifier'),
    };
  }

  /** The library is loaded with the first sign-in. */
  #opened(): Promise<OidcClient> {
    const { settings, login } = this.#deps;
    this.#client ??= import('../login/open-oidc.ts').then(({ openOidc }) =>
      openOidc(
        { ...settings, needsOneTenant: true },
        { account: 'system', allowPrivate: ANYWHERE },
        login.now,
      ),
    );
    return this.#client;
  }

  /** Raises Problem if there is no account of the settings, or several to choose from. */
  #account(): string {
    const { id } = this.#deps.account;
    if (id === null) throw new Problem('consoleOidcAccount', { host: this.host });
    return id;
  }

  /** Reports every refusal to the browser and to the operator. */
  async #guarded<Result>(client: string, operationId: string, act: () => Promise<Result>): Promise<Result> {
    try {
      return await act();
    } catch (error) {
      if (!(error instanceof LoginFault)) throw error;
      const { check, message: reason } = error;
      this.#deps.log.warn(
        { operation_id: operationId, check, reason, client },
        'a sign-in to the console was refused',
      );
      throw this.#problemOf(error);
    }
  }

  #problemOf({ code }: LoginFault): Problem {
    const { host } = this;
    switch (code) {
      case 'loginUnfinished':
      case 'loginUsed':
        return new Problem('consoleOidcUnfinished', { url: `${this.url}/ui/` });
      case 'loginProviderFailed':
        return new Problem('consoleOidcUnavailable', { host });
      case 'loginBusy':
        return new Problem('consoleOidcBusy');
      case 'loginGroupNotAuthorized':
        return new Problem('consoleOidcNoRole', { host });
      default:
        return new Problem('consoleOidcRefused', { host });
    }
  }
}

function noRole({ id, groups }: LoginUser, { groupsClaim }: ConsoleOidcSettings): LoginFault {
  const seen =
    groups.length === 0 ? `the claim "${groupsClaim}" has no group` : `none of ${groups.length} groups`;
  const reason = `the user ${id} has no role: ${seen}${groups.length === 0 ? '' : ' has one'}`;
  return new LoginFault('loginGroupNotAuthorized', 'groups', reason);
}

function unfinished(check: string, reason: string): LoginFault {
  return new LoginFault('loginUnfinished', check, reason);
}
