/**
 * One certificate, from the order to the chain (RFC 8555, section 7.4). Never that a proof is asked for before it can be given, or that an order is
 * made while there is one that can be gone on with.
 */
import type { Authorization, Client, Order } from 'acme-client';
import type { Hostname, HostPattern } from '../core/hostname.ts';
import { type CertificateRequest, requestCertificate } from '../pki/certificate-request.ts';
import type { AcmeClient } from './acme-client.ts';
import { AcmeAccountFailure, AcmeFailure, failureOf } from './acme-failure.ts';
import { challengesOf, nameOf, readOrder, requireToken } from './answers.ts';
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
  /** Nothing comes of it. */
  readonly forget: () => Promise<void>;
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

/** Rejects with AcmeFailure when the authority gives none, and as `publish`, `admit`, `keep` and `forget` do. */
export async function orderCertificate(parts: OrderParts, wanted: Wanted): Promise<Issued> {
  const { order, made } = (await goOn(parts)) ?? (await begin(parts, wanted));
  if (order.status === 'pending') await prove(parts, order, wanted);
  const finalized = await finalize(parts, order, made.request);
  const valid = await untilValid(parts, finalized);
  return { chain: await download(parts, valid), privateKeyPem: made.privateKeyPem };
}

/** What the authority will not give is not asked for again; what it cannot give now, is. */
async function download({ client, account, forget, signal }: OrderParts, order: Order): Promise<string> {
  try {
    const chain: unknown = await client.ask(signal, () => account.getCertificate(order));
    if (typeof chain === 'string') return chain;
    throw new AcmeFailure('the certificate authority sent no certificate', { status: 200 });
  } catch (error) {
    if (error instanceof AcmeFailure && !error.isPassing) await forget();
    throw error;
  }
}

/** Null when there is nothing to go on with, or the authority does not know it. */
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
    const order = readOrder(await client.ask(signal, () => account.getOrder(asked)));
    return order.status === 'invalid' ? null : { order, made: known };
  } catch (error) {
    if (error instanceof AcmeFailure && !error.isPassing) return null;
    throw error;
  }
}

async function begin(parts: OrderParts, wanted: Wanted): Promise<Begun> {
  await parts.admit();
  const made = await requestCertificate(wanted.names, wanted.keyType);
  const order = readOrder(await createOrder(parts, wanted));
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
  return readOrder(await client.ask(signal, () => account.finalizeOrder(order, request)));
}

async function createOrder(parts: OrderParts, wanted: Wanted): Promise<Order> {
  const { client, account, signal } = parts;
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
    if (error instanceof AcmeFailure && accountTypes.includes(error.type) && !(await isAccountValid(parts)))
      throw new AcmeAccountFailure(error);
    throw error;
  }
}

/** What is refused to one name must not cost all others their account. */
async function isAccountValid({ client, account, signal }: OrderParts): Promise<boolean> {
  try {
    return (await client.ask(signal, () => account.updateAccount())).status === 'valid';
  } catch (error) {
    if (error instanceof AcmeFailure) return error.isPassing;
    throw error;
  }
}

async function choose(account: Client, authorization: Authorization, wanted: Wanted): Promise<Pending> {
  const hostname = nameOf(authorization, wanted.names);
  const offered = challengesOf(authorization);
  for (const type of wanted.challenges) {
    const challenge = offered.find((each) => each.type === type);
    if (challenge === undefined) continue;
    requireToken(challenge.token);
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
      const failed = authorization && challengesOf(authorization).find(({ status }) => status === 'invalid');
      throw failureOf(failed?.error, `${proof.hostname} was not proven by ${proof.type}`);
    }
  }
}

async function untilValid({ client, account, signal }: OrderParts, order: Order): Promise<Order> {
  let now = order;
  for await (const _ of polls(signal)) {
    if (now.status === 'valid') return now;
    if (now.status === 'invalid') throw failureOf(now.error, 'the certificate authority refused the order');
    now = readOrder(await client.ask(signal, () => account.getOrder(now)));
  }
  return now;
}
