import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { propertyRuns } from '../../../../test/harness/property-runs.ts';
import type { JsonObject } from '../store/store.ts';
import { type EventPrincipal, envelopeOf } from './envelope.ts';
import { Outbox } from './outbox.ts';

const ID = 'ev_2yGcXYbRm0wqvFB1cCqBRKp0aHK';
const TIME = '2025-06-09T10:19:50Z';
const type = 'ip_policy_updated.v0';
const account = 'ac_2yGcXYbRm0wqvFB1cCqBRKp0aHL';
const outbox = new Outbox({
  subscriptions: { interestedIn: () => new Map(), destinations: new Map() },
  bound: { take: () => true },
  dropped() {},
  written() {},
});

const principals = fc.record({ id: fc.string(), subject: fc.string({ unit: 'binary' }) }).map(
  (who): EventPrincipal => ({
    ...{ ...who, source: 'API' },
    credential: { id: 'ak_1', uri: 'https://api.example.com/api_keys/ak_1' },
  }),
);

test('whatever an event tells of is JSON on one line, and waits as it is sent', () => {
  const happening = fc.record({
    principal: fc.option(principals),
    object: fc.dictionary(fc.string({ unit: 'binary' }), fc.jsonValue()),
  });
  const property = fc.property(happening, ({ principal, object: given }) => {
    const object = given as JsonObject;
    const told = { type, account, principal, object } as const;
    const sent = envelopeOf(ID, told);
    const fields = { event_id: ID, event_type: type, event_timestamp: TIME, account_id: account };
    assert.equal(sent, JSON.stringify({ ...fields, principal, object }));
    const place = new Map([
      ['ed_1', ['esb_1']],
      ['ed_2', ['esb_1', 'esb_2']],
    ]);
    const operations = outbox.operations(place, () => ID, 'ipp_1', told);
    const waiting = operations.map((operation) => {
      assert.ok(operation.op === 'enqueue' && operation.account === account);
      return { parent: operation.parent, ...JSON.parse(operation.text) };
    });
    const event = { event_id: ID, type, resource: 'ipp_1', envelope: sent };
    assert.deepEqual(
      waiting,
      Array.from(place, ([parent, subscription_ids]) => ({ parent, ...event, subscription_ids })),
    );
  });
  fc.assert(property, { numRuns: propertyRuns(100) });
});
