/**
 * URLs of SAML modules on the host of identity providers: metadata, assertion consumer and logout.
 * Invariant: no URL leads to a name without the module. Invariant: nothing is stored for a user before the provider
 * has vouched for them.
 */
import { samlPath } from '../core/saml-settings.ts';
import type { Answer } from '../http-server/answer.ts';
import { FailureBudget, type FailureBudgetRates } from '../login/failure-budget.ts';
import type { BegunFlow, Flow } from '../login/flows.ts';
import { LoginFault } from '../login/login-fault.ts';
import { type ProviderEndpoint, sentTo, text } from '../login/provider-answers.ts';
import type { Visit } from '../login/visit.ts';
import { delivery } from './delivery.ts';
import { callbackUrl, identityFrom, loginMessage, type SamlIdentity } from './login-exchange.ts';
import { leaveByForm, singleLogout } from './logout-endpoint.ts';
import { fromPost } from './message.ts';
import type { SamlModules } from './modules.ts';
import { ownMetadata } from './own-metadata.ts';
import type { ServiceProvider } from './service-provider.ts';

const reading = ['GET', 'HEAD'];
/** Paths after the id, with the methods that each accepts; '' is the metadata. */
const services: ReadonlyMap<string, readonly string[]> = new Map([
  ['', reading],
  ['/acs', ['POST']],
  ['/login', reading],
  ['/logout', reading],
  ['/slo', ['GET', 'POST']],
]);

/** A path with or without a query. Two slashes would begin the name of another host, and so would a backslash in browsers. */
const path = /^\/(?![/\\])\P{Cc}*$/u;

/** Rates in units of `costOf`. Each unit takes one or two milliseconds. */
const rates: FailureBudgetRates = {
  all: { burst: 400, perSecond: 20 },
  module: { burst: 200, perSecond: 10 },
  known: { burst: 400, perSecond: 20 },
};
/** Characters of one unit of cost. */
const unit = 4096;

/** Reports each refused login, with a page of its module. */
export type LoginRefused = (page: URL, client: string, fault: LoginFault) => void;

export class SamlEndpoints implements ProviderEndpoint {
  readonly #modules: SamlModules;
  readonly #budget: FailureBudget;
  readonly #refused: LoginRefused;

  /** `now`: milliseconds since 1970. */
  constructor(modules: SamlModules, now: () => number, refused: LoginRefused = () => {}) {
    this.#modules = modules;
    this.#refused = refused;
    this.#budget = new FailureBudget({ rates, now });
  }

  serves(path: string): boolean {
    return path.startsWith(samlPath) && services.has(serviceOf(path));
  }

  async answer(visit: Visit): Promise<Answer> {
    const service = serviceOf(visit.path);
    const methods = services.get(service) ?? [];
    if (!methods.includes(visit.method)) return text(405, `Only ${methods.join(' and ')}.\n`);
    const provider = await this.#modules.find(idOf(visit.path));
    if (provider === null) throw nowhere('there is no such module');
    if (service === '') return metadataOf(provider);
    if (!provider.config.enabled) throw nowhere('the module is turned off');
    switch (service) {
      case '/acs':
        return await this.#consume(provider, visit);
      case '/login':
        return beginByForm(provider, visit);
      case '/logout':
        return leaveByForm(provider, visit);
      default:
        return await singleLogout(provider, visit, (message, act) =>
          this.#bounded(visit, provider, { message, flow: null }, act),
        );
    }
  }

  /** Serves the URL for assertions (saml-profiles-2.0-os, section 4.1.3.5). */
  async #consume(provider: ServiceProvider, visit: Visit): Promise<Answer> {
    try {
      return await this.#accept(provider, visit);
    } catch (error) {
      if (error instanceof LoginFault) await this.#report(provider, visit, error);
      throw error;
    }
  }

  async #report({ id }: ServiceProvider, { client }: Visit, fault: LoginFault): Promise<void> {
    const page = await this.#modules.firstPage(id);
    if (page !== null) this.#refused(page, client, fault);
  }

  async #accept(provider: ServiceProvider, visit: Visit): Promise<Answer> {
    const form = await visit.form();
    const message = form.get('SAMLResponse');
    if (message === null)
      throw new LoginFault('loginMessageUnreadable', 'form', 'the form has no SAMLResponse');
    const relayState = form.get('RelayState') ?? '';
    const flow = provider.login.flows.open(relayState);
    if (flow !== null) {
      refuseUnlessOf(provider, flow);
      // A login takes minutes, and the name can belong to another account by then.
      if (!(await this.#modules.standsAt(provider.id, flow.host.replace(/:\d+$/, ''))))
        throw foreign(`${flow.host} no longer has the module`);
      const identity = await this.#identityFrom(provider, visit, { message, flow });
      return sentTo(303, callbackUrl(provider, { flow, state: relayState }, identity));
    }
    if (!provider.config.allow_idp_initiated)
      throw new LoginFault(
        'loginUnsolicited',
        'unsolicited',
        'the RelayState is not of a login at this service',
      );
    const identity = await this.#identityFrom(provider, visit, { message, flow: null });
    return sentTo(303, callbackUrl(provider, await this.#unsolicited(provider, relayState), identity));
  }

  async #identityFrom(provider: ServiceProvider, visit: Visit, received: Received): Promise<SamlIdentity> {
    const { message, flow } = received;
    return await this.#bounded(visit, provider, received, async () =>
      identityFrom(provider, fromPost(message), flow),
    );
  }

  /** Reads and verifies a message by `act`, within what failing messages may cost. */
  async #bounded<Result>(
    { client }: Visit,
    { id }: ServiceProvider,
    { message, flow }: Received,
    act: () => Promise<Result>,
  ): Promise<Result> {
    const charge = { client, module: id, cost: costOf(message), flow: flow?.id ?? '' };
    return await this.#budget.spend(charge, act);
  }

  /** A login that the provider has begun, for the page that it names, or where it names none, the first one of the module. */
  async #unsolicited({ id, place, login }: ServiceProvider, relayState: string): Promise<BegunFlow> {
    const url = await this.#pageOf(id, relayState.trim());
    if (url === null)
      throw foreign('the RelayState is no URL and no path, or the module has no whole name of its own');
    if (!(await this.#modules.serves(id, url))) throw foreign(`${url.origin} does not have the module`);
    return login.flows.begin({ place, host: url.host, target: `${url.pathname}${url.search}`, browser: '' });
  }

  /** The page that a RelayState names: by a URL, or by a path at the first name of the module. Empty: the first page. Null: none. */
  async #pageOf(id: string, relayState: string): Promise<URL | null> {
    if (URL.canParse(relayState)) return new URL(relayState);
    if (relayState !== '' && !path.test(relayState)) return null;
    const first = await this.#modules.firstPage(id);
    return first === null || !URL.canParse(relayState, first.href) ? null : new URL(relayState, first);
  }
}

/** A message as it came, and the login that it answers. */
interface Received {
  readonly message: string;
  readonly flow: Flow | null;
}

function costOf(message: string): number {
  return 1 + Math.floor(message.length / unit);
}

/** Begins a login at a provider that receives requests by a form, which the browser submits itself. */
function beginByForm(provider: ServiceProvider, { query }: Visit): Answer {
  const sent = new URLSearchParams(query);
  const state = sent.get('state') ?? '';
  const flow = provider.login.flows.open(state);
  if (flow === null) throw new LoginFault('loginUnfinished', 'state', 'the state was not made here');
  refuseUnlessOf(provider, flow);
  const message = loginMessage(provider, { flow, state }, sent.get('forced') === '1');
  return delivery(message, provider.signingKey);
}

function refuseUnlessOf({ place, login }: ServiceProvider, flow: Flow): void {
  if (flow.place !== place)
    throw new LoginFault(
      'loginUnfinished',
      'state',
      'the state is that of another module, or of before a change',
    );
  if (login.flows.isTooOld(flow)) throw new LoginFault('loginUnfinished', 'time', 'the login took too long');
}

function metadataOf({ urls, config }: ServiceProvider): Answer {
  const { request_signing_certificate_pem: certificate, nameid_format: nameIdFormat } = config;
  return {
    status: 200,
    headers: [['content-type', 'application/samlmetadata+xml']],
    body: ownMetadata({ ...urls, certificate, nameIdFormat }),
  };
}

function idOf(path: string): string {
  return path.slice(samlPath.length).split('/')[0] ?? '';
}

function serviceOf(path: string): string {
  return path.slice(samlPath.length + idOf(path).length);
}

function nowhere(reason: string): LoginFault {
  return new LoginFault('loginNowhere', 'module', reason);
}

function foreign(reason: string): LoginFault {
  return new LoginFault('loginTargetForeign', 'relay state', reason);
}
