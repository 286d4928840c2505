/**
 * Logout pages: on the way to the provider, on the way back, and for logouts at the provider.
 * Invariant: a request ends a session only with the provider's signature.
 */
import type { Element } from '@xmldom/xmldom';
import type { Answer } from '../http-server/answer.ts';
import { loggedOutPage } from '../login/logged-out-page.ts';
import { LoginFault } from '../login/login-fault.ts';
import { page, sentTo } from '../login/provider-answers.ts';
import type { Visit } from '../login/visit.ts';
import { delivery } from './delivery.ts';
import { leftAtProvider, messageOnPage, returnUrl } from './logout-exchange.ts';
import { fromPost } from './message.ts';
import type { ServiceProvider } from './service-provider.ts';
import { open } from './signed.ts';
import { requestInQuery } from './signed-query.ts';

/** Begins a logout at a provider that receives requests by a form, which the browser submits itself. */
export function leaveByForm(provider: ServiceProvider, { query }: Visit): Answer {
  const message = messageOnPage(provider, new URLSearchParams(query).get('session') ?? '');
  if (message === null) throw new LoginFault('loginUnfinished', 'state', 'no page of the module led here');
  return delivery(message, provider.signingKey);
}

/** Runs what reads and verifies a message, within what failing messages may cost. */
export type Bounded = <Result>(message: string, act: () => Promise<Result>) => Promise<Result>;

/** Handles the provider's logout request, or its response to one of ours. */
export async function singleLogout(
  provider: ServiceProvider,
  visit: Visit,
  bounded: Bounded,
): Promise<Answer> {
  const isForm = visit.method === 'POST';
  const sent = isForm ? await visit.form() : new URLSearchParams(visit.query);
  const relayState = sent.get('RelayState') ?? '';
  // The session here has ended already, so only the next page is read from the response.
  if (sent.has('SAMLResponse')) {
    const url = returnUrl(provider, relayState);
    return url === null ? page(200, loggedOutPage()) : sentTo(303, url);
  }
  if (!sent.has('SAMLRequest'))
    throw new LoginFault('loginMessageUnreadable', 'form', 'there is no SAMLRequest and no SAMLResponse');
  const received = isForm ? (sent.get('SAMLRequest') ?? '') : visit.query;
  const message = await bounded(received, async () => {
    const request = isForm ? openedIn(provider, received) : requestInQuery(received, provider.keys);
    return await leftAtProvider(provider, request, relayState);
  });
  return message === null ? page(200, loggedOutPage()) : delivery(message, provider.signingKey);
}

function openedIn({ keys }: ServiceProvider, field: string): Element {
  return open(fromPost(field), keys).element;
}
