/**
 * A login at an identity provider: the request, the response, and the transfer of the result to the visitor's name.
 * Invariant: a response is valid for its own login only.
 */
import { createHash } from 'node:crypto';
import type { Element } from '@xmldom/xmldom';
import { type BegunFlow, type Flow, placeOfAnswer } from '../login/flows.ts';
import { LoginFault } from '../login/login-fault.ts';
import { callbackPath } from '../login/paths.ts';
import type { LoginUser } from '../login/session.ts';
import { sourceOfGroups } from './group-source.ts';
import { handlesOf, tokenOf } from './handles.ts';
import { loginRequest } from './requests.ts';
import { readResponse } from './response.ts';
import { type Outgoing, redirectUrl } from './sending.ts';
import type { ServiceProvider } from './service-provider.ts';

/** Facts with which a session begins. */
export interface SamlIdentity {
  readonly user: LoginUser;
  readonly handles: readonly string[];
  readonly token: string;
  /** End of the session by the provider; null if it sets none. */
  readonly until: number | null;
}

/** A result on the way to the visitor's name. */
interface Answered {
  readonly identity: SamlIdentity;
  /** Milliseconds since 1970. */
  readonly madeAt: number;
}

/** Bytes. The result is part of a URL. */
const mostAnswer = 4096;
/** Milliseconds. A browser continues at once, unless the user has to choose a certificate first. */
const answerMs = 120_000;
const answerPurpose = 'saml answer/2';

/** Returns the URL for the browser: at the provider, or of a page of ours that has a form for it. */
export function loginUrl(provider: ServiceProvider, begun: BegunFlow, isForced: boolean): string {
  const message = loginMessage(provider, begun, isForced);
  if (message.binding === 'redirect') return redirectUrl(message, provider.signingKey);
  return `${provider.urls.entity}/login?state=${begun.state}${isForced ? '&forced=1' : ''}`;
}

/** Returns the request for the provider. Throws LoginFault. */
export function loginMessage(
  provider: ServiceProvider,
  { flow, state }: BegunFlow,
  isForced: boolean,
): Outgoing {
  provider.refuseIfExpired();
  const { urls, config, login } = provider;
  const { binding, location } = provider.serviceOf('signOn')!;
  const envelope = {
    ...{ id: requestId(provider, flow), issuer: urls.entity, destination: location },
    now: login.now(),
  };
  const { consumer } = urls;
  const wish = { consumer, nameIdFormat: config.nameid_format, isForced: isForced || config.force_authn };
  return { kind: 'SAMLRequest', xml: loginRequest(envelope, wish), relayState: state, binding, location };
}

/** Derives the request id from the flow, so that nothing has to be stored until the response. */
function requestId({ login }: ServiceProvider, flow: Flow): string {
  return `_${login.flows.secretOf(flow, 'saml request')}`;
}

/**
 * Returns the identity in the provider's response to `flow`; null if the response belongs to no request. Uses up the
 * assertion. Rejects with LoginFault.
 */
export async function identityFrom(
  provider: ServiceProvider,
  message: Element,
  flow: Flow | null,
): Promise<SamlIdentity> {
  provider.refuseIfExpired();
  const { urls, config, login, metadata, keys } = provider;
  const { authorized_groups, group_attributes = [] } = config;
  const { id, user, name, sessionIndex, sessionUntil, usableUntil, key, attributeNames } = readResponse(
    message,
    {
      ...{ issuer: metadata.entityId, audience: urls.entity, consumer: urls.consumer, keys },
      groupAttributes: group_attributes,
      ...{ inResponseTo: flow && requestId(provider, flow), nameIdFormat: config.nameid_format },
      authenticatedSince: config.force_authn && flow !== null ? flow.begunAt : null,
      now: login.now(),
    },
  );
  const digest = createHash('sha256').update(id).digest('base64url');
  if (!(await login.records.use(`saml ${provider.place} ${digest}`, usableUntil)))
    throw new LoginFault('loginUsed', 'replay', 'the assertion was used before');
  const handles = [key.handle, ...handlesOf(provider, name, sessionIndex)];
  const token = tokenOf({ name, sessionIndex });
  const listed = listedFirst(user, authorized_groups);
  const isMember = authorized_groups.length === 0 || authorized_groups.includes(listed.groups[0] ?? '');
  const groupSource = isMember ? {} : { groupSource: sourceOfGroups(attributeNames, group_attributes) };
  return { user: { ...listed, ...groupSource }, handles, token, until: sessionUntil };
}

/** A cookie has room for some of them. */
function listedFirst(user: LoginUser, listed: readonly string[]): LoginUser {
  const isListed = (group: string): boolean => listed.includes(group);
  const groups = [...user.groups.filter(isListed), ...user.groups.filter((group) => !isListed(group))];
  return { ...user, groups };
}

/** Returns the URL of the visitor's name, with the identity sealed for this flow alone. */
export function callbackUrl(
  { login }: ServiceProvider,
  { flow, state }: BegunFlow,
  identity: SamlIdentity,
): string {
  const answers = login.key.sealedFor<Answered>(answerPurpose);
  const seal = (fitting: SamlIdentity): string =>
    answers.seal({ identity: fitting, madeAt: login.now() }, placeOfAnswer(flow));
  let fitting = identity;
  let answer = seal(fitting);
  while (answer.length > mostAnswer && fitting.user.groups.length > 0) {
    const { user } = fitting;
    const groups = user.groups.slice(0, Math.floor(user.groups.length / 2));
    fitting = { ...fitting, user: { ...user, groups } };
    answer = seal(fitting);
  }
  return `https://${flow.host}${callbackPath}?state=${state}&answer=${answer}`;
}

/**
 * Returns the identity that the visitor brings back. A user that has logged out at the provider meanwhile is
 * rejected. Throws LoginFault.
 */
export function identityIn({ login }: ServiceProvider, query: URLSearchParams, flow: Flow): SamlIdentity {
  const answers = login.key.sealedFor<Answered>(answerPurpose);
  const answered = answers.open(query.get('answer') ?? '', placeOfAnswer(flow));
  if (answered === null)
    throw new LoginFault(
      'loginRefused',
      'answer',
      'what the visitor came back with was not sealed here for this login',
    );
  const { identity, madeAt } = answered;
  if (login.now() >= madeAt + answerMs)
    throw new LoginFault('loginUnfinished', 'time', 'the provider has answered too long ago');
  if (identity.handles.some((handle) => login.records.isEnded(handle, madeAt)))
    throw new LoginFault('loginUnfinished', 'logout', 'the user has left at the provider meanwhile');
  return identity;
}
