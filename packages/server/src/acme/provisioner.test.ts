/** The states of domains with a policy, with a clock and an authority that the test controls. */
import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, test } from 'node:test';
import pino from 'pino';
import { eventually, until } from '../../../../test/harness/until.ts';
import { TestClock } from '../events/events.fixture.ts';
import { makeChain } from '../pki/certificates.fixture.ts';
import { onBothStores } from '../resources/both-stores.fixture.ts';
import { collection, type Platform, refused, startPlatform } from '../resources/engine.fixture.ts';
import { LEASE_MS } from '../store/lease.ts';
import { ConflictError } from '../store/store.ts';
import { AcmeFailure, NameFailure, ShareFailure } from './acme-failure.ts';
import { OrderLease } from './lease.ts';
import { type ManagedDomain, ManagedDomains, managedDomain } from './managed-domains.ts';
import type { Issued } from './order.ts';
import { Provisioner } from './provisioner.ts';

const host = 'app.example.com';
const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;

interface Asked {
  readonly domain: ManagedDomain;
  readonly signal: AbortSignal;
  answer(outcome: Issued | Error): void;
}

function chainFor(name: string): Issued {
  const { leaf, intermediate, key } = makeChain(name);
  return { chain: leaf + intermediate, privateKeyPem: key };
}

/** A daemon whose orders the test fulfils. */
class Daemon {
  readonly clock = new TestClock();
  readonly asked: Asked[] = [];
  /** Subjects of `done` calls. */
  readonly done: string[] = [];
  /** Lines of the log. */
  readonly errors: string[] = [];
  readonly #provisioner: Promise<Provisioner<'reserved_domain', ManagedDomain>>;

  constructor({ store, sealer }: Platform, name: string | null) {
    const { now, after } = this.clock;
    this.#provisioner = Provisioner.start({
      ...{ store, now, after },
      kind: 'reserved_domain',
      read: managedDomain,
      keeper: new ManagedDomains({ store, sealer, now, audit: { about: async () => [] } }),
      lease: new OrderLease({ store, purpose: 'domains', daemon: name, uptime: now }),
      issue: (domain, signal) =>
        new Promise((resolve, reject) => {
          signal.addEventListener('abort', () => reject(signal.reason));
          const answer = (outcome: Issued | Error) =>
            outcome instanceof Error ? reject(outcome) : resolve(outcome);
          this.asked.push({ domain, signal, answer });
        }),
      done: async ({ id }) => {
        this.done.push(id);
      },
      random: () => 0,
      log: pino({ level: 'error' }, { write: (line: string) => void this.errors.push(line) }),
    });
  }

  /** Returns the next order, whatever timer it waits for. */
  async next(count: number): Promise<Asked> {
    await until(() => {
      if (this.asked.length < count && this.clock.nextMs !== null)
        this.clock.pass(Math.min(this.clock.nextMs, minute));
      return this.asked.length >= count;
    });
    return this.asked[count - 1]!;
  }

  async stop(): Promise<void> {
    await (await this.#provisioner).stop();
  }
}

describe('certificates that the service gets', () => {
  onBothStores((open) => {
    let platform: Platform;
    const daemons: Daemon[] = [];
    beforeEach(async () => {
      platform = await startPlatform(open, { managedCertificates: { wildcards: false } });
    });
    afterEach(async () => {
      await Promise.all(daemons.splice(0).map((daemon) => daemon.stop()));
      await platform.close();
    });

    function start(name: string | null = null): Daemon {
      const daemon = new Daemon(platform, name);
      daemons.push(daemon);
      return daemon;
    }
    async function reserve(): Promise<string> {
      const policy = { certificate_management_policy: { private_key_type: 'ecdsa' } };
      return (await platform.create('reserved_domain', { domain: host, ...policy })).id;
    }
    async function shown(id: string) {
      const { certificate, certificate_management_status: status } = await platform.get(
        'reserved_domain',
        id,
      );
      const { renews_at, provisioning_job } = status as {
        renews_at: string | null;
        provisioning_job: { error_code: string | null; msg: string; retries_at: string | null } | null;
      };
      return {
        certificate: (certificate as { id: string } | null)?.id ?? null,
        renews_at,
        job: provisioning_job,
      };
    }
    async function when(id: string, condition: (now: Awaited<ReturnType<typeof shown>>) => boolean) {
      let now = await shown(id);
      await eventually(async () => {
        now = await shown(id);
        assert.ok(condition(now), JSON.stringify(now));
      });
      return now;
    }
    const issued = (id: string, former: string | null = null) =>
      when(id, ({ certificate }) => certificate !== former);
    const failing = (id: string, text: string) => when(id, ({ job }) => job?.msg.includes(text) === true);

    test('one is renewed when its time has come, and the one before serves until then', async () => {
      const daemon = start();
      const id = await reserve();
      (await daemon.next(1)).answer(chainFor(host));
      const { certificate: first, renews_at, job } = await issued(id);
      assert.equal(job, null);
      const { not_before, not_after } = (await platform.get('tls_certificate', first ?? '')) as Record<
        string,
        string
      >;
      const [from, to, at] = [not_before, not_after, renews_at].map((time) => Date.parse(time ?? ''));
      assert.ok(Math.abs(at! - (from! + ((to! - from!) * 2) / 3)) < 2000, 'two thirds of its life');
      const { clock } = daemon;
      clock.pass(at! - clock.now() - day);
      assert.equal(daemon.asked.length, 1);
      clock.pass(day + 1000);
      const renewal = await daemon.next(2);
      const meanwhile = await shown(id);
      assert.equal(meanwhile.certificate, first);
      assert.notEqual(meanwhile.job, null);
      renewal.answer(chainFor(host));
      const { certificate: second } = await issued(id, first);
      await eventually(async () => {
        await refused(platform.get('tls_certificate', first ?? ''), 'resourceNotFound');
      });
      assert.notEqual(second, first);
    });

    test('a failure is reported, retried at the reported time, and forgotten after a success', async () => {
      const daemon = start();
      const id = await reserve();
      (await daemon.next(1)).answer(
        new AcmeFailure('too many', { type: 'rateLimited', retryAfterMs: 2 * hour }),
      );
      const limited = await failing(id, 'too many');
      assert.equal(limited.job?.error_code, 'INTERNAL_ERROR');
      const { clock } = daemon;
      const left = Date.parse(limited.job?.retries_at ?? '') - clock.now();
      assert.ok(left > 2 * hour - 5000, String(left));
      clock.pass(left - 5000);
      assert.equal(daemon.asked.length, 1);
      (await daemon.next(2)).answer(new NameFailure('DNS_ERROR', 'it leads elsewhere'));
      assert.equal((await failing(id, 'elsewhere')).job?.error_code, 'DNS_ERROR');
      (await daemon.next(3)).answer(new AcmeFailure('not signed', { type: 'caa' }));
      assert.equal((await failing(id, 'not signed')).job?.error_code, 'DNS_ERROR');
      (await daemon.next(4)).answer(new Error('a bug'));
      assert.equal((await failing(id, 'could not order')).job?.error_code, 'INTERNAL_ERROR');
      (await daemon.next(5)).answer(chainFor('other.example.com'));
      await failing(id, 'not valid for app.example.com');
      (await daemon.next(6)).answer(chainFor(host));
      assert.equal((await issued(id)).job, null);
    });

    test('an order is finished when its result is stored, or when it can have no user any more', async () => {
      const daemon = start();
      const id = await reserve();
      (await daemon.next(1)).answer(new AcmeFailure('a word'));
      await failing(id, 'a word');
      assert.deepEqual(daemon.done, [], 'it may be gone on with');
      (await daemon.next(2)).answer(chainFor('other.example.com'));
      await failing(id, 'not valid for app.example.com');
      assert.deepEqual(daemon.done, [id]);
      (await daemon.next(3)).answer(chainFor(host));
      await issued(id);
      await eventually(() => assert.deepEqual(daemon.done, [id, id]));
    });

    test('an account without a share left is notified until when, and no request is sent before', async () => {
      const daemon = start();
      const id = await reserve();
      (await daemon.next(1)).answer(new ShareFailure('too many of this account', 2 * hour));
      const { job } = await failing(id, 'too many of this account');
      assert.equal(job?.error_code, 'INTERNAL_ERROR');
      const { clock } = daemon;
      const left = Date.parse(job?.retries_at ?? '') - clock.now();
      assert.ok(Math.abs(left - 2 * hour) < 2000, String(left));
      clock.pass(left - 5000);
      assert.equal(daemon.asked.length, 1);
      (await daemon.next(2)).answer(chainFor(host));
      assert.equal((await issued(id)).job, null);
    });

    test('what is under way ends with the policy, and with the domain, and leaves nothing', async () => {
      const daemon = start();
      const id = await reserve();
      const first = await daemon.next(1);
      await platform.engine.detach(
        collection('reserved_domain'),
        platform.admin,
        id,
        'certificate_management_policy',
      );
      await until(() => first.signal.aborted);
      await platform.update('reserved_domain', id, {
        certificate_management_policy: { private_key_type: 'rsa' },
      });
      const second = await daemon.next(2);
      assert.equal(second.domain.managed.private_key_type, 'rsa');
      await platform.remove('reserved_domain', id);
      await until(() => second.signal.aborted);
      assert.deepEqual((await platform.list('tls_certificate')).items, []);
    });

    test('what went before that was seen is no failure of anybody', async () => {
      const daemon = start();
      const id = await reserve();
      (await daemon.next(1)).answer(new ConflictError({ reason: 'parent-missing', id }));
      // The domain still exists, so it is ordered again.
      const { domain } = await daemon.next(2);
      assert.equal(domain.managed.job?.failure, null);
      assert.deepEqual(daemon.errors, []);
    });

    test('a certificate goes with its domain, unless something else is served with it', async () => {
      const daemon = start();
      const id = await reserve();
      (await daemon.next(1)).answer(chainFor(host));
      const { certificate } = await issued(id);
      await platform.remove('reserved_domain', id);
      await refused(platform.get('tls_certificate', certificate ?? ''), 'resourceNotFound');

      const again = await reserve();
      (await daemon.next(2)).answer(chainFor(host));
      const { certificate: shared } = await issued(again);
      await platform.create('reserved_domain', { domain: 'other.example.com', certificate_id: shared });
      await platform.remove('reserved_domain', again);
      await platform.get('tls_certificate', shared ?? '');
    });

    test('a certificate whose policy was removed stays when its domain goes, like one that was uploaded', async () => {
      const daemon = start();
      const id = await reserve();
      (await daemon.next(1)).answer(chainFor(host));
      const { certificate } = await issued(id);
      const policy = 'certificate_management_policy';
      await platform.engine.detach(collection('reserved_domain'), platform.admin, id, policy);
      await platform.remove('reserved_domain', id);
      await platform.get('tls_certificate', certificate ?? '');
    });

    test('what the account changes meanwhile stays', async () => {
      const daemon = start();
      const id = await reserve();
      const { answer } = await daemon.next(1);
      await platform.update('reserved_domain', id, { description: 'changed' });
      answer(chainFor(host));
      await issued(id);
      assert.equal((await platform.get('reserved_domain', id)).description, 'changed');
    });

    test('an account with many names does not delay others', async () => {
      const certificate_management_policy = { private_key_type: 'ecdsa' };
      for (const label of ['a', 'b', 'c', 'd', 'e'])
        await platform.create('reserved_domain', {
          domain: `${label}.example.com`,
          certificate_management_policy,
        });
      const body = { domain: 'only.example.net', certificate_management_policy };
      await platform.create('reserved_domain', body, platform.stranger);
      const daemon = start();
      await daemon.next(5);
      const asked = () => daemon.asked.map(({ domain }) => domain.body.domain.split('.')[0]);
      assert.deepEqual(asked(), ['a', 'b', 'c', 'd', 'only']);
      daemon.asked[0]!.answer(new NameFailure('DNS_ERROR', 'it leads elsewhere'));
      await daemon.next(6);
      assert.equal(asked()[5], 'e');
    });

    test('accounts whose orders hang keep no other account waiting', async () => {
      const certificate_management_policy = { private_key_type: 'ecdsa' };
      const third = { ...platform.stranger, account: 'ac_third' };
      const owners = { a: platform.admin, b: platform.stranger, c: third };
      for (const [label, owner] of Object.entries(owners))
        for (const domain of [`${label}1.example.com`, `${label}2.example.com`, `${label}3.example.com`])
          await platform.create('reserved_domain', { domain, certificate_management_policy }, owner);
      const daemon = start();
      await daemon.next(6);
      const asked = () => daemon.asked.map(({ domain }) => domain.body.domain.split('.')[0]);
      assert.deepEqual(asked(), ['a1', 'a2', 'a3', 'b1', 'b2', 'c1']);
      daemon.asked[5]!.answer(new NameFailure('DNS_ERROR', 'it leads elsewhere'));
      await daemon.next(7);
      assert.equal(asked()[6], 'c2');
    });

    test('of two daemons one asks, and the other goes on when that one is silent', async () => {
      const [one, other] = [start('one'), start('other')];
      await reserve();
      await one.next(1);
      await until(() => {
        if (other.clock.nextMs !== null && other.asked.length === 0) other.clock.pass(100);
        return other.asked.length === 1;
      });
      // The first daemon's clock did not move, so it renewed no lease.
      assert.ok(other.clock.now() - one.clock.now() >= LEASE_MS - 1000);
    });
  });
});
