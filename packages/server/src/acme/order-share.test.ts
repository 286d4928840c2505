import assert from 'node:assert/strict';
import { beforeEach, describe, test } from 'node:test';
import type { ManagedCertificate } from '../documents/index.ts';
import { onBothStores } from '../resources/both-stores.fixture.ts';
import { startPlatform } from '../resources/engine.fixture.ts';
import { ShareFailure } from './acme-failure.ts';
import { OrderShare } from './order-share.ts';

const hour = 60 * 60_000;
const day = 24 * hour;

describe('the share of an account in what an authority allows', () => {
  onBothStores((open) => {
    let clock: number;
    beforeEach(() => {
      clock = 1_000 * day;
    });
    async function start(perHour: number) {
      const { store, close } = await startPlatform(open);
      const newShare = () => new OrderShare({ store, perHour, now: () => clock });
      return { share: newShare(), newShare, close };
    }
    const managed = (times: Partial<ManagedCertificate> = {}): ManagedCertificate => ({
      ...{ authority: 'public_ca', private_key_type: 'rsa', set_at: clock, renews_at: null, job: null },
      ...times,
    });
    async function waits(share: OrderShare, account: string, text: RegExp): Promise<number> {
      const error = await share.take(account, managed()).catch((reason: unknown) => reason);
      assert.ok(error instanceof ShareFailure, String(error));
      assert.match(error.message, text);
      return error.retryAfterMs;
    }

    test('is so many an hour, counted over restarts, and other accounts do not wait for it', async (t) => {
      const { share, newShare, close } = await start(3);
      t.after(close);
      for (let at = 0; at < 3; at++) {
        await share.take('ac_1', managed());
        clock += 60_000;
      }
      assert.equal(await waits(newShare(), 'ac_1', /3 certificates within one hour/), hour - 180_000);
      await share.take('ac_2', managed());
      clock += hour - 180_000;
      await share.take('ac_1', managed());
      assert.equal(await waits(share, 'ac_1', /hour/), 60_000);
    });

    test('is twenty times as many a week', async (t) => {
      const { share, close } = await start(1);
      t.after(close);
      const first = clock;
      for (let at = 0; at < 20; at++) {
        await share.take('ac_1', managed());
        clock += hour;
      }
      assert.equal(await waits(share, 'ac_1', /20 certificates within one week/), first + 7 * day - clock);
    });

    test('is for requests of users, not for a renewal that is due', async (t) => {
      const { share, close } = await start(1);
      t.after(close);
      await share.take('ac_1', managed());
      await share.take('ac_1', managed({ set_at: clock - day, renews_at: clock }));
      for (const times of [{ renews_at: clock + 1 }, { set_at: clock, renews_at: clock - 1 }])
        await assert.rejects(share.take('ac_1', managed(times)), ShareFailure);
    });

    test('is not for the names of the service itself', async (t) => {
      const { share, close } = await start(1);
      t.after(close);
      for (let at = 0; at < 30; at++) await share.take('system', managed());
      await share.take('ac_1', managed());
      await waits(share, 'ac_1', /1 certificates within one hour/);
    });

    test('is everything where the operator wants no limit', async (t) => {
      const { share, close } = await start(0);
      t.after(close);
      for (let at = 0; at < 30; at++) await share.take('ac_1', managed());
    });
  });
});
