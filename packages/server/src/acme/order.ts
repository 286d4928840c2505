/**
 * One certificate, from the order to the chain (RFC 8555, section 7.4). Never that a proof is asked for before it can be given, or that an order is
 * made while there is one that can be gone on with.
 */
import type { Authorization, Client, Order } from 'acme-client';
import { baseOf, type Hostname, type HostPattern } from '../core/hostname.ts';
import { type CertificateRequest, requestCertificate } from '../pki/certificate-request.ts';
import type { AcmeClient } from './acme-client.ts';
import { AcmeAccountFailure, AcmeFailure, failureOf } from './acme-failure.ts';
import type { KnownOrder } from './order-memory.ts';
import { polls } from './polls.ts';

export type ChallengeType = 'tls-alpn-01' | 'http-01' | 'dns-01';

export interface Wanted {
  readonly names: readonly HostPattern[];
  readonly keyType: 'rsa' | 'ecdsa';
  /** Those that can be answered, the best one first. */
  readonly challenges: readonly ChallengeType[];
  /** What the authority calls the certificate that this one is instead of (RFC 9773, section 5); null for none. */
  readonly replaces: string | null;
}

/** What shows the authority that a name is served here. */
export interface Proof {
  readonly type: ChallengeType;
  readonly hostname: Hostname;
  readonly token: string;
  /** The key authorization; for dns-01 what the TXT record says. */
  readonly value: string;
}

export interface Issued {
  /** PEM, the leaf first. */
  readonly chain: string;
  /** PKCS#8 PEM. */
  readonly privateKeyPem: string;
}

export interface OrderParts {
  readonly client: AcmeClient;
  readonly account: Client;
  /** Resolves when the authority may look. */
  readonly publish: (proofs: readonly Proof[]) => Promise<void>;
  /** What an attempt before has begun; null for nothing. */
  readonly known: KnownOrder | null;
  /** Resolves when another order may be made. */
  readonly admit: () => Promise<void>;
  /** Keeps it for the attempt after this one. */
  readonly keep: (order: KnownOrder) => Promise<void>;
  readonly signal: AbortSignal;
}

interface Begun {
  readonly order: Order;
  readonly made: CertificateRequest;
}

interface Pending {
  /** Of the authorization. */
  readonly url: string;
  readonly challenge: Authorization['challenges'][number];
  readonly proof: Proof;
}

/** Before any name is looked at they are about the account. */
const accountTypes = ['accountDoesNotExist', 'unauthorized'];

/** Rejects with AcmeFailure when the authority gives none, and as `publish`, `admit` and `keep` do. */
export async function orderCertificate(parts: OrderParts, wanted: Wanted): Promise<Issued> {
  const { client, account, signal } = parts;
  const { order, made } = (await goOn(parts)) ?? (await begin(parts, wanted));
  if (order.status === 'pending') await prove(parts, order, wanted);
  const finalized = await finalize(parts, order, made.request);
  const valid = await untilValid(parts, finalized);
  const chain = await client.ask(signal, () => account.getCertificate(valid));
  return { chain, privateKeyPem: made.privateKeyPem };
}

/** Null when there is nothing to go on with, or the authority does not say how it stands. */
async function goOn({ client, account, signal, known }: OrderParts): Promise<Begun | null> {
  if (known === null) return null;
  // The library looks at nothing but the URL.
  const asked: Order = {
    url: known.url,
    status: 'pending',
    identifiers: [],
    authorizations: [],
    finalize: '',
  };
  try {
    const order = await client.ask(signal, () => account.getOrder(asked));
    return order.status === 'invalid' ? null : { order, made: known };
  } catch (error) {
    if (error instanceof AcmeFailure && !signal.aborted) return null;
    throw error;
  }
}

async function begin(parts: OrderParts, wanted: Wanted): Promise<Begun> {
  await parts.admit();
  const made = await requestCertificate(wanted.names, wanted.keyType);
  const order = await createOrder(parts, wanted);
  await parts.keep({ url: order.url, ...made });
  return { order, made };
}

async function prove(parts: OrderParts, order: Order, wanted: Wanted): Promise<void> {
  const { client, account, publish, signal } = parts;
  const authorizations = await client.ask(signal, () => account.getAuthorizations(order));
  const pending: Pending[] = [];
  for (const authorization of authorizations)
    if (authorization.status !== 'valid') pending.push(await choose(account, authorization, wanted));
  await publish(pending.map(({ proof }) => proof));
  // The authority may look already, for an attempt before.
  for (const { challenge } of pending)
    if (challenge.status === 'pending') await client.ask(signal, () => account.completeChallenge(challenge));
  await untilProven(parts, order, pending);
}

/** What was finalized before the attempt was interrupted needs nothing more. */
async function finalize(
  { client, account, signal }: OrderParts,
  order: Order,
  request: string,
): Promise<Order> {
  if (order.status === 'processing' || order.status === 'valid') return order;
  return client.ask(signal, () => account.finalizeOrder(order, request));
}

async function createOrder({ client, account, signal }: OrderParts, wanted: Wanted): Promise<Order> {
  const identifiers = wanted.names.map((value) => ({ type: 'dns', value }));
  const create = (more: object): Promise<Order> =>
    client.ask(signal, () => account.createOrder({ identifiers, ...more }));
  try {
    if (wanted.replaces === null) return await create({});
    return await create({ replaces: wanted.replaces }).catch((error: unknown) => {
      // Replaced by now, or got by another account: an order like any other will do.
      if (error instanceof AcmeFailure && error.type !== 'rateLimited') return create({});
      throw error;
    });
  } catch (error) {
    if (error instanceof AcmeFailure && accountTypes.includes(error.type))
      throw new AcmeAccountFailure(error);
    throw error;
  }
}

async function choose(account: Client, authorization: Authorization, wanted: Wanted): Promise<Pending> {
  const { identifier, challenges: offered } = authorization;
  const hostname = wanted.names.map(baseOf).find((name) => name === identifier.value);
  if (hostname === undefined)
    throw new AcmeFailure('the certificate authority wants another name to be proven');
  for (const type of wanted.challenges) {
    const challenge = offered.find((each) => each.type === type);
    if (challenge === undefined) continue;
    const value = await account.getChallengeKeyAuthorization(challenge);
    return { url: authorization.url, challenge, proof: { type, hostname, token: challenge.token, value } };
  }
  const types = offered.map(({ type }) => type).join(', ');
  throw new AcmeFailure(
    `the certificate authority wants ${hostname} to be proven by ${types}, and here there is ${wanted.challenges.join(', ')}`,
  );
}

async function untilProven(
  { client, account, signal }: OrderParts,
  order: Order,
  pending: readonly Pending[],
): Promise<void> {
  for await (const _ of polls(signal)) {
    const now = await client.ask(signal, () => account.getAuthorizations(order));
    const open = pending.filter(({ url }) => now.find((each) => each.url === url)?.status !== 'valid');
    if (open.length === 0) return;
    for (const { url, proof } of open) {
      const authorization = now.find((each) => each.url === url);
      if (authorization?.status === 'pending') continue;
      const failed = authorization?.challenges.find(({ status }) => status === 'invalid');
      throw failureOf(failed?.error, `${proof.hostname} was not proven by ${proof.type}`);
    }
  }
}

async function untilValid({ client, account, signal }: OrderParts, order: Order): Promise<Order> {
  let now = order;
  for await (const _ of polls(signal)) {
    if (now.status === 'valid') return now;
    if (now.status === 'invalid') throw failureOf(now.error, 'the certificate authority refused the order');
    now = await client.ask(signal, () => account.getOrder(now));
  }
  return now;
}
