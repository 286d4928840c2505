/**
 * Gets the metadata of a SAML identity provider from where the provider has it. Never from an address inside or without TLS, and never what no
 * login could go by.
 */
import type { Cidr } from '../core/ip/cidr.ts';
import { printableLine } from '../errors/printable.ts';
import { Problem } from '../errors/problem.ts';
import { OutboundAgent } from '../outbound/agent.ts';
import { AnswerTooLarge, outboundFetch } from '../outbound/fetch.ts';
import { maxIdpMetadata } from '../pki/idp-metadata.ts';
import { usableMetadata } from './usable-metadata.ts';

const mostRedirects = 3;
const mostWords = 255;
const question = {
  headers: {
    accept: 'application/samlmetadata+xml, application/xml;q=0.9, */*;q=0.1',
    'user-agent': 'underpass',
  },
  mostBytes: maxIdpMetadata,
};

export interface MetadataFetchOptions {
  /** The account that configured the URL. */
  readonly account: string;
  /** Special ranges that the operator opened. */
  readonly allowPrivate: readonly Cidr[];
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** Ends it. */
  readonly signal?: AbortSignal;
}

export interface FetchedMetadata {
  readonly xml: string;
  /** See IdpMetadata. */
  readonly validUntil: number | null;
}

/** Rejects with Problem. */
export async function fetchIdpMetadata(
  url: string,
  { account, allowPrivate, now, signal }: MetadataFetchOptions,
): Promise<FetchedMetadata> {
  const agent = new OutboundAgent({ account, allowPrivate });
  try {
    const xml = await textAt(url, agent, signal);
    const { validUntil } = usableMetadata(xml, now());
    return { xml, validUntil };
  } finally {
    agent.destroy();
  }
}

async function textAt(first: string, agent: OutboundAgent, signal?: AbortSignal): Promise<string> {
  let url = first;
  for (let redirects = 0; redirects <= mostRedirects; redirects += 1) {
    const answer = await asked(url, agent, signal);
    const location = answer.headers.get('location');
    if (answer.status >= 300 && answer.status < 400 && location !== null && URL.canParse(location, url)) {
      url = new URL(location, url).href;
      continue;
    }
    if (answer.status !== 200) throw unreachable(`${new URL(url).host} answered ${answer.status}`);
    return await answer.text();
  }
  throw unreachable(`${new URL(first).host} answered with more than ${mostRedirects} redirects`);
}

async function asked(url: string, agent: OutboundAgent, signal?: AbortSignal): Promise<Response> {
  try {
    return await outboundFetch(agent, url, { ...question, ...(signal === undefined ? {} : { signal }) });
  } catch (error) {
    if (error instanceof AnswerTooLarge)
      throw new Problem('samlMetadataUrlTooLarge', { limit: maxIdpMetadata }, { limit: maxIdpMetadata });
    const { message, code } = error as NodeJS.ErrnoException;
    // Of several addresses that were tried there is no message.
    throw unreachable(message || String(code));
  }
}

function unreachable(reason: string): Problem {
  return new Problem('samlMetadataUrlUnreachable', { reason: printableLine(reason.slice(0, mostWords)) });
}
