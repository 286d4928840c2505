/** One certificate, from the order to the chain (RFC 8555, section 7.4). Never that a proof is asked for before it can be given. */
import type { Authorization, Client, Order } from 'acme-client';
import { baseOf, type Hostname, type HostPattern } from '../core/hostname.ts';
import { requestCertificate } from '../pki/certificate-request.ts';
import type { AcmeClient } from './acme-client.ts';
import { AcmeAccountFailure, AcmeFailure, failureOf } from './acme-failure.ts';
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
  readonly signal: AbortSignal;
}

interface Pending {
  /** Of the authorization. */
  readonly url: string;
  readonly challenge: Authorization['challenges'][number];
  readonly proof: Proof;
}

/** Before any name is looked at they are about the account. */
const accountTypes = ['accountDoesNotExist', 'unauthorized'];

/** Rejects with AcmeFailure when the authority gives none, and as `publish` does. */
export async function orderCertificate(parts: OrderParts, wanted: Wanted): Promise<Issued> {
  const { client, account, publish, signal } = parts;
  const ask = <T>(work: () => Promise<T>): Promise<T> => client.ask(signal, work);
  const order = await createOrder(parts, wanted);
  const authorizations = await ask(() => account.getAuthorizations(order));
  const pending: Pending[] = [];
  for (const authorization of authorizations)
    if (authorization.status !== 'valid') pending.push(await choose(account, authorization, wanted));
  await publish(pending.map(({ proof }) => proof));
  for (const { challenge } of pending) await ask(() => account.completeChallenge(challenge));
  await untilProven(parts, order, pending);
  const { request, privateKeyPem } = await requestCertificate(wanted.names, wanted.keyType);
  const finalized = await ask(() => account.finalizeOrder(order, request));
  const valid = await untilValid(parts, finalized);
  const chain = await ask(() => account.getCertificate(valid));
  return { chain, privateKeyPem };
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
