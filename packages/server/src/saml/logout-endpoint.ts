/** Where users leave: on the way to the provider, on the way back, and when they have left there. Never that a session ends by a request that is not signed by the provider. */
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

/** For providers that are told by a form: the browser takes it there by itself. */
export function leaveByForm(provider: ServiceProvider, { query }: Visit): Answer {
  const message = messageOnPage(provider, new URLSearchParams(query).get('session') ?? '');
  if (message === null)
    throw new LoginFault('loginUnfinished', 'state', 'nobody was sent here from a page of the module');
  return delivery(message, provider.signingKey);
}

/** Runs what reads and verifies a message, within what failing messages may cost. */
export type Bounded = <Result>(message: string, act: () => Promise<Result>) => Promise<Result>;

/** What the provider has to say of users who leave: a request of its own, or that it has done what was asked. */
export async function singleLogout(
  provider: ServiceProvider,
  visit: Visit,
  bounded: Bounded,
): Promise<Answer> {
  const isForm = visit.method === 'POST';
  const sent = isForm ? await visit.form() : new URLSearchParams(visit.query);
  const relayState = sent.get('RelayState') ?? '';
  // The session here is over whatever the provider answers: nothing is read but where to go on.
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
