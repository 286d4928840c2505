/**
 * Fills the outboxes of several accounts and delivers their events, in a process of its own. Argument: JSON of a
 * `Drain`; prints a `Drained`.
 * Invariant: no event is created during delivery, so that only delivery is measured.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eventually } from '@underpass/test';
import { pino } from 'pino';
import type { EventTarget } from '../../packages/server/src/documents/index.ts';
import { documentsIn } from '../../packages/server/src/documents/store.ts';
import { prepareEvents } from '../../packages/server/src/events/events.ts';
import { Outbox } from '../../packages/server/src/events/outbox.ts';
import { openTarget } from '../../packages/server/src/events/targets/open-target.ts';
import { openStore } from '../../packages/server/src/store/databases/open.ts';

export interface Drain {
  readonly target: 'monitoring' | 'stream';
  readonly sinkPort: number;
  readonly accounts: number;
  /** Events per account. */
  readonly events: number;
}

export interface Drained {
  readonly perSecond: number;
  /** Microseconds of this process for each event. */
  readonly cpu: number;
  /** Resident bytes when it began, at most until a tenth had arrived, and at most meanwhile. */
  readonly before: number;
  readonly early: number;
  readonly peak: number;
  /** Events that did not arrive, came twice or out of their order, and accounts whose outbox has some still. */
  readonly wrong: number;
}

/** Written at once. */
const BATCH = 1_000;
const object = {
  conn: {
    client_ip: '203.0.113.9',
    server_ip: '192.0.2.1',
    server_name: 'app.example.com',
    server_port: 443,
  },
  http: {
    request: { method: 'GET', url: { scheme: 'https', host: 'app.example.com', path: '/orders' } },
    response: { status_code: 200, body_length: 5120, last_byte_ts: '2026-11-22T12:36:51.966Z' },
  },
};

const { target, sinkPort, accounts, events: count }: Drain = JSON.parse(process.argv[2] ?? '');
const sink = `http://127.0.0.1:${sinkPort}`;
process.env.AWS_ENDPOINT_URL = sink;
const dir = mkdtempSync(join(tmpdir(), 'underpass-drain-'));
const opened = await openStore({ kind: 'sqlite', path: join(dir, 'underpass.db') });
const store = documentsIn(opened);
for (let account = 0; account < accounts; account++) await fill(`ac_${account}`);

let peak = 0;
let early = 0;
const measured = setInterval(() => {
  peak = Math.max(peak, process.memoryUsage.rss());
}, 50);
const before = process.memoryUsage.rss();
const events = await prepareEvents({
  ...{ store, log: pino({ level: 'warn' }), isShared: false, counted: () => {}, dropped: () => {} },
  open: ({ id, account, body }) =>
    openTarget(body.target, 'secret', {
      ...{ destination: id, account },
      settings: { allowPrivate: [], monitoringIntake: sink },
      marks: null,
    }),
});
const started = performance.now();
const cpuBefore = process.cpuUsage();
events.start();
const all = accounts * count;
await eventually(async () => {
  const { taken } = (await (await fetch(sink)).json()) as { taken: number };
  if (taken < all / 10) early = peak;
  if (taken < all) throw new Error(`${taken} of ${all} events arrived`);
}, 900_000);
const seconds = (performance.now() - started) / 1000;
const { user, system } = process.cpuUsage(cpuBefore);
clearInterval(measured);
await events.stop();
const { taken, misplaced } = (await (await fetch(sink)).json()) as { taken: number; misplaced: number };
let left = 0;
for (let account = 0; account < accounts; account++)
  left += await store.countQueued({ account: `ac_${account}`, limit: 1 });
await store.close();
rmSync(dir, { recursive: true });
const drained: Drained = {
  ...{ perSecond: all / seconds, cpu: (user + system) / all, before, early, peak },
  wrong: Math.abs(taken - all) + misplaced + left,
};
console.log(JSON.stringify(drained));

/** A destination with a subscription, and events that wait for it. */
async function fill(account: string): Promise<void> {
  const texts = { description: '', metadata: '' };
  const own = { account, parent: null, links: [], names: [] };
  let parent = '';
  let subscription = '';
  await store.write((newId) => {
    parent = newId('ed');
    subscription = newId('esb');
    const sources = ['http_request_complete.v0'] as const;
    const destination = { ...texts, format: 'json', target: settingsOf() } as const;
    const subscribed = { ...texts, sources, destination_ids: [parent] };
    return [
      { op: 'insert', id: parent, kind: 'event_destination', body: destination, ...own },
      { op: 'insert', id: subscription, kind: 'event_subscription', body: subscribed, ...own },
    ];
  });
  const outbox = new Outbox({
    subscriptions: { interestedIn: () => new Map(), destinations: new Map() },
    bound: { take: async () => true },
    dropped: () => {},
    written: () => {},
  });
  const place = new Map([[parent, [subscription]]]);
  const happening = { type: 'http_request_complete.v0', account, principal: null, object } as const;
  for (let written = 0; written < count; written += BATCH) {
    const batch = Array.from({ length: Math.min(BATCH, count - written) });
    await store.write((newId) => batch.flatMap(() => outbox.operations(place, newId, '', happening)));
  }
}

function settingsOf(): EventTarget {
  if (target === 'monitoring')
    return { type: 'monitoring', settings: { tags: '', service: '', site: '' }, secret_sealed: '' };
  const identifier = 'arn:aws:kinesis:eu-west-1:123456789012:stream/events';
  const settings = { identifier, role_identifier: '', cloud_access_key_id: 'AKIA0' };
  return { type: 'stream', settings, secret_sealed: '' };
}
