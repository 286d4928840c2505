/** Orders at pebble from one process: how names are proven, and which account is used. */
import assert from 'node:assert/strict';
import { createPrivateKey, X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, describe, test } from 'node:test';
import { inspect } from 'node:util';
import pino from 'pino';
import { Pebble, pebbleMissing, until } from '../../../../test/harness/index.ts';
import type { Hostname } from '../core/names/hostname.ts';
import type { ManagedCertificate } from '../documents/index.ts';
import { AcmeAccounts } from '../pki/acme-account.ts';
import { type Platform, startPlatform } from '../resources/engine.fixture.ts';
import { AcmeClient } from './acme-client.ts';
import type { AcmeConfig } from './acme-config.ts';
import { AcmeFailure } from './acme-failure.ts';
import { Challenges } from './challenges.ts';
import { Issuer, type Subject } from './issuer.ts';
import { managedDomain } from './managed-domains.ts';
import type { ChallengeType, Issued } from './order.ts';
import { OrderMemory } from './order-memory.ts';
import { RenewalInfoSource } from './renewal-info.ts';

const host = 'www.example.com';
const externalAccount = {
  kid: 'kid-1',
  hmacKey: 'zWNDZM6eQGHWpSRTPal5eIUYFTu7EajVIoguysqZ9wG44nMEtx3MUAsUDkMTQ12W',
};

type Step = 'completeChallenge' | 'finalizeOrder' | 'getCertificate';

describe('orders at pebble', { skip: pebbleMissing }, () => {
  let platform: Platform;
  let challenges: Challenges;
  let plain: Server;
  let domain: Subject;
  let pebble: Pebble;
  let strict: Pebble;
  /** Orders that were admitted. */
  let admitted = 0;

  before(async () => {
    platform = await startPlatform(undefined, { managedCertificates: { wildcards: false } });
    const log = pino({ level: 'silent' });
    challenges = await Challenges.start({ store: platform.store, now: Date.now, log });
    plain = createServer(({ url = '', headers }, answer) => {
      const token = url.slice('/.well-known/acme-challenge/'.length);
      answer.end(challenges.httpAnswer((headers.host ?? '').split(':')[0] as Hostname, token));
    }).listen(0, '127.0.0.1');
    await once(plain, 'listening');
    domain = await reserved(host);
    const { port: httpPort } = plain.address() as AddressInfo;
    // Pebble waits up to a second before each validation.
    pebble = await Pebble.prepare({ env: { PEBBLE_VA_NOSLEEP: '0', PEBBLE_VA_SLEEPTIME: '1' } });
    strict = await Pebble.prepare({ externalAccount });
    await Promise.all([pebble, strict].map((each) => each.start({ tlsPort: 1, httpPort })));
  });
  after(async () => {
    await Promise.all([pebble?.stop(), strict?.stop()]);
    plain?.close();
    await challenges?.stop();
    await platform?.close();
  });

  async function reserved(name: string): Promise<Subject> {
    const body = { domain: name, certificate_management_policy: { private_key_type: 'rsa' } };
    const { id } = await platform.create('reserved_domain', body);
    const document = await platform.store.get(id);
    assert.ok(document?.kind === 'reserved_domain');
    const managed = managedDomain(document);
    assert.ok(managed);
    const check = async () => ({ state: 'right', by: 'alias' }) as const;
    return { ...managed, names: [managed.body.domain], check, textName: null, formerChain: null };
  }
  function parts(at: Pebble, more: Partial<AcmeConfig> = {}) {
    const { store, sealer } = platform;
    const { directory, authority } = at;
    const config = {
      directory,
      authorities: [authority],
      email: 'ops@example.com',
      externalAccount: null,
      dnsHook: null,
      serviceNames: false,
      ordersPerHour: 0,
    };
    const client = new AcmeClient({ ...config, ...more });
    const accounts = new AcmeAccounts({ store, sealer, directory });
    return { config, client, accounts };
  }
  function issuer(
    at: Pebble,
    types: readonly ChallengeType[],
    more: Partial<AcmeConfig> = {},
    interruptedAt: Step | null = null,
  ): Issuer {
    const ours = parts(at, more);
    if (interruptedAt !== null) interrupt(ours.client, interruptedAt);
    const renewals = new RenewalInfoSource(ours.client, at.directory);
    const { store, sealer } = platform;
    const memory = new OrderMemory({ store, sealer, directory: at.directory, now: Date.now });
    const share = {
      take: async () => {
        admitted += 1;
      },
    };
    return new Issuer({ ...ours, challenges, types, renewals, share, memory, texts: null });
  }
  /** Simulates that the daemon dies at this step. */
  function interrupt(client: AcmeClient, step: Step): void {
    const interrupted = async (): Promise<never> => {
      throw new AcmeFailure('interrupted');
    };
    const of = client.of.bind(client);
    client.of = (...account) => Object.assign(of(...account), { [step]: interrupted });
  }
  const never = new AbortController().signal;
  const left = async () =>
    (
      await platform.store.page({
        account: domain.account,
        kind: 'acme_challenge',
        parent: domain.id,
        limit: 10,
      })
    ).length;
  /** Orders a certificate and stores the result. */
  async function got(from: Issuer, subject = domain): Promise<Issued> {
    const issued = await from.issue(subject, never);
    await from.done(subject);
    return issued;
  }
  async function refusal(attempt: Promise<unknown>): Promise<AcmeFailure> {
    const error = await attempt.catch((reason: unknown) => reason);
    assert.ok(error instanceof AcmeFailure, inspect(error));
    return error;
  }

  // Failing orders come before successful ones: pebble reuses an earlier proof for one of 100 orders, even if
  // configured not to.
  test('an attempt that is ended ends at once, and leaves nothing of the proof', async () => {
    const ended = new AbortController();
    const attempt = refusal(issuer(pebble, ['tls-alpn-01']).issue(domain, ended.signal));
    await until(() => challenges.validationCertificate(host as Hostname) !== null);
    ended.abort();
    await attempt;
    assert.equal(await left(), 0);
    assert.equal(challenges.validationCertificate(host as Hostname), null);
  });

  test('after a failure the other way is taken', async () => {
    const both = issuer(pebble, ['tls-alpn-01', 'http-01']);
    assert.match((await refusal(both.issue(domain, never))).message, /not proven by tls-alpn-01/);
    const failure = { error_code: 'INTERNAL_ERROR', msg: '', retries_at: 0, attempts: 1 } as const;
    const managed: ManagedCertificate = { ...domain.managed, job: { started_at: 0, failure } };
    await got(both, { ...domain, managed });
  });

  test('a name is proven by plain HTTP where that is offered, however slowly the authority looks', async () => {
    const { chain, privateKeyPem } = await got(issuer(pebble, ['http-01']));
    const leaf = new X509Certificate(chain);
    assert.equal(leaf.checkHost(host, { subject: 'never' }), host);
    assert.equal(leaf.publicKey.asymmetricKeyType, 'rsa');
    assert.match(privateKeyPem, /BEGIN PRIVATE KEY/);
    assert.equal(await left(), 0);
  });

  test('an attempt goes on with the order of one that was interrupted, wherever that was', async () => {
    // A name that was proven before may have no pending challenge.
    const fresh = await reserved('fresh.example.com');
    const made = admitted;
    for (const step of ['completeChallenge', 'finalizeOrder', 'getCertificate'] as const) {
      await refusal(issuer(pebble, ['http-01'], {}, step).issue(fresh, never));
      assert.equal(admitted, made + 1, step);
    }
    const { chain, privateKeyPem } = await issuer(pebble, ['http-01']).issue(fresh, never);
    assert.equal(admitted, made + 1);
    assert.ok(new X509Certificate(chain).checkPrivateKey(createPrivateKey(privateKeyPem)));
    const again = await issuer(pebble, ['http-01']).issue(fresh, never);
    assert.deepEqual(again, { chain, privateKeyPem }, 'until it is stored');
    assert.equal(admitted, made + 1);
    await issuer(pebble, ['http-01']).done({
      ...fresh,
      managed: { ...fresh.managed, set_at: 1, job: null },
    });
    assert.deepEqual(await issuer(pebble, ['http-01']).issue(fresh, never), again, 'another job is done');
    await issuer(pebble, ['http-01']).done(fresh);
    await got(issuer(pebble, ['http-01']), fresh);
    assert.equal(admitted, made + 2, 'what was issued is not gone on with');
  });

  test('another job, or an order that the authority does not know, is begun anew', async () => {
    const made = admitted;
    const interrupted = () => refusal(issuer(pebble, ['http-01'], {}, 'finalizeOrder').issue(domain, never));
    await interrupted();
    const managed: ManagedCertificate = { ...domain.managed, job: { started_at: 1, failure: null } };
    await got(issuer(pebble, ['http-01']), { ...domain, managed });
    assert.equal(admitted, made + 2);
    await interrupted();
    const { store } = platform;
    const [order] = await store.page({
      account: domain.account,
      kind: 'acme_order',
      parent: domain.id,
      limit: 1,
    });
    const { id, revision, body } = order!;
    await store.write(() => [{ op: 'rewrite', id, revision, body: { ...body, url: `${body.url}0` } }]);
    await got(issuer(pebble, ['http-01']));
    assert.equal(admitted, made + 4);
  });

  test('an account that the authority has closed is replaced by another one', async () => {
    const { client, accounts } = parts(pebble);
    const former = await accounts.load();
    const library = client.of(former.keyPem, former.url);
    await client.ask(never, () => library.updateAccount({ status: 'deactivated' }));
    await got(issuer(pebble, ['http-01']));
    const { url, keyPem } = await accounts.load();
    assert.notEqual(url, former.url);
    assert.notEqual(keyPem, former.keyPem);
  });

  test('an authority that wants an external account gives none to others', async () => {
    const failure = await refusal(issuer(strict, ['http-01']).issue(domain, never));
    assert.equal(failure.type, 'externalAccountRequired');
    await got(issuer(strict, ['http-01'], { externalAccount }));
  });

  describe('an account that the authority does not know yet', () => {
    let fresh: Pebble;
    before(async () => {
      fresh = await Pebble.prepare({ isStrict: true });
      await fresh.start({ tlsPort: 1, httpPort: (plain.address() as AddressInfo).port });
    });
    after(() => fresh?.stop());
    const registrations = () => fresh.lines.filter((line) => line.includes('/sign-me-up')).length;

    test('is created once by orders that begin at once, without an email address', async () => {
      const subjects = await Promise.all(['x', 'y', 'z'].map((label) => reserved(`${label}.example.com`)));
      const asking = issuer(fresh, ['http-01'], { email: null });
      await Promise.all(subjects.map((subject) => got(asking, subject)));
      assert.equal(registrations(), 1);
    });

    test('is found again without an update that changes nothing', async () => {
      const { accounts } = parts(fresh);
      await accounts.keepUrl(await accounts.load(), '');
      await got(issuer(fresh, ['http-01'], { email: null }));
      assert.equal(registrations(), 2);
      assert.notEqual((await accounts.load()).url, '');
    });

    test('is created by another order if the first one ends early', async () => {
      const { accounts } = parts(fresh);
      await accounts.keepUrl(await accounts.load(), '');
      const asking = issuer(fresh, ['http-01'], { email: null });
      const [ended, other] = await Promise.all(['v', 'w'].map((label) => reserved(`${label}.example.com`)));
      const first = refusal(asking.issue(ended!, AbortSignal.abort()));
      await got(asking, other!);
      await first;
    });
  });
});
