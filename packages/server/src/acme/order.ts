/**
 * Obtains one certificate, from the order to the chain (RFC 8555, section 7.4).
 * Invariant: validation is requested only when the proof is published.
 * Invariant: no order is created while an earlier one can be continued.
 */
import type { Authorization, Client, Order } from 'acme-client';
import type { Hostname, HostPattern } from '../core/names/hostname.ts';
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
  /** Supported challenge types, the preferred first. */
  readonly challenges: readonly ChallengeType[];
  /** The identifier of the certificate to replace (RFC 9773, section 5); null for none. */
  readonly replaces: string | null;
}

/** Proves to the authority that a name is served here. */
export interface Proof {
  readonly type: ChallengeType;
  readonly hostname: Hostname;
  readonly token: string;
  /** The key authorization, or the text of the TXT record for dns-01. */
  readonly value: string;
}

export interface Issued {
  /** PEM, the leaf first. */
  readonly chain: string;
  /** PKCS#8 PEM. */
  readonly privateKeyPem: string;
}

export interface OrderParts {
  readonly client: Pick<AcmeClient, 'ask'>;
  readonly account: Client;
  /** Resolves when the authority may validate. */
  readonly publish: (proofs: readonly Proof[]) => Promise<void>;
  /** The order that an earlier attempt started; null for none. */
  readonly known: KnownOrder | null;
  /** Resolves when another order may be created. */
  readonly admit: () => Promise<void>;
  /** Stores the order for the next attempt. */
  readonly keep: (order: KnownOrder) => Promise<void>;
  /** Deletes the stored order. */
  readonly forget: () => Promise<void>;
  readonly signal: AbortSignal;
}

interface Begun {
  readonly order: Order;
  readonly made: CertificateRequest;
}

interface Pending {
  /** The URL of the authorization. */
  readonly url: string;
  readonly challenge: Authorization['challenges'][number];
  readonly proof: Proof;
}

/** Error types that concern the account, if they occur before any authorization. */
const accountTypes = ['accountDoesNotExist', 'unauthorized'];

/**
 * Rejects with AcmeFailure if the authority issues nothing, and with the errors of `publish`, `admit`, `keep` and
 * `forget`.
 */
export async function orderCertificate(parts: OrderParts, wanted: Wanted): Promise<Issued> {
  const { order, made } = (await goOn(parts)) ?? (await begin(parts, wanted));
  if (order.status === 'pending') await prove(parts, order, wanted);
  const finalized = await finalize(parts, order, made.request);
  const valid = await untilValid(parts, finalized);
  return { chain: await download(parts, valid), privateKeyPem: made.privateKeyPem };
}

/** Downloads the chain. A permanent refusal deletes the stored order; a temporary one does not. */
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

/** Returns null if there is no order to continue, or the authority does not know it. */
async function goOn({ client, account, signal, known }: OrderParts): Promise<Begun | null> {
  if (known === null) return null;
  // The library uses only the URL.
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
  // The authority may be validating already, for an earlier attempt.
  for (const { challenge } of pending)
    if (challenge.status === 'pending') await client.ask(signal, () => account.completeChallenge(challenge));
  await untilProven(parts, order, pending);
}

/** Finalizes the order, unless an interrupted attempt did so already. */
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
      // The former certificate was replaced already, or belongs to another account. So the order names none.
      if (error instanceof AcmeFailure && error.type !== 'rateLimited') return create({});
      throw error;
    });
  } catch (error) {
    if (error instanceof AcmeFailure && accountTypes.includes(error.type) && !(await isAccountValid(parts)))
      throw new AcmeAccountFailure(error);
    throw error;
  }
}

/** A refusal of one name must not cost the account, which all names use. */
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
