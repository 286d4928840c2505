import assert from 'node:assert/strict';
import { test } from 'node:test';
import { tcpPort } from '../core/names/bind-target.ts';
import type { HostPattern } from '../core/names/hostname.ts';
import {
  configurationDocument,
  configuredReservation,
  edgeDocument,
  gone,
  httpsEdgeDocument,
  put,
  reservation,
  tcpEdgeDocument,
} from '../edge/documents.fixture.ts';
import { Reservations } from './reservations.ts';

const app = 'app.example.com' as HostPattern;

test('a reservation that is deleted, and an edge that is, leave the name to everybody', () => {
  const reservations = new Reservations();
  const documents = [reservation('rd_1', app), edgeDocument('edgtls_1', [app])] as const;
  reservations.reset(documents);
  assert.deepEqual([reservations.reservedBy(app), reservations.edgeAccount(app)], ['ac_1', 'ac_1']);
  assert.deepEqual([...reservations.apply([gone(documents[1])])], [app]);
  assert.deepEqual([reservations.reservedBy(app), reservations.edgeAccount(app)], ['ac_1', undefined]);
  assert.deepEqual([...reservations.apply([gone(documents[0])])], [app]);
  assert.equal(reservations.reservedBy(app), undefined);
  assert.deepEqual([...reservations.apply([gone(documents[0])])], [], 'nothing of it is left');
});

test('an edge that moves gives up the names and ports that it had', () => {
  const reservations = new Reservations();
  reservations.reset([
    httpsEdgeDocument('edghts_1', ['a.example.com', app]),
    tcpEdgeDocument('edgtcp_1', [1]),
  ]);
  const changes = [put(httpsEdgeDocument('edghts_1', [app])), put(tcpEdgeDocument('edgtcp_1', [2]))];
  const touched = reservations.apply(changes);
  assert.deepEqual([...touched].sort(), [tcpPort(1), tcpPort(2), 'a.example.com', app].sort());
  assert.equal(reservations.edgeAccount('a.example.com' as HostPattern), undefined);
  assert.equal(reservations.edgeAccount(app), 'ac_1');
  assert.equal(reservations.edgeAccount(tcpPort(1)), undefined);
  assert.equal(reservations.edgeAccount(tcpPort(2)), 'ac_1');
});

test('a name that another edge has taken over stays with it when the first one is found to be gone', () => {
  const reservations = new Reservations();
  const [old, next] = [edgeDocument('edgtls_1', [app]), edgeDocument('edgtls_2', [app])];
  reservations.reset([old]);
  reservations.apply([put(next), gone(old)]);
  assert.equal(reservations.edgeAccount(app), 'ac_1');
});

test('a configuration that is deleted or taken off applies to no bind any more', () => {
  const reservations = new Reservations();
  const [configured, configuration] = [
    configuredReservation('rd_1', app, 'ec_1'),
    configurationDocument('ec_1', {}),
  ];
  reservations.reset([configured, configuration]);
  assert.equal(reservations.configurationOf(app), configuration.body);
  reservations.apply([gone(configuration)]);
  assert.equal(reservations.configurationOf(app), null);
  reservations.apply([put(configuration)]);
  assert.equal(reservations.configurationOf(app), configuration.body);
  reservations.apply([put(configuredReservation('rd_1', app, null))]);
  assert.equal(reservations.configurationOf(app), null);
});

test('a whole list takes the place of all that was known', () => {
  const reservations = new Reservations();
  const configuration = configurationDocument('ec_1', {});
  const known = [configuredReservation('rd_1', app, 'ec_1'), configuration, edgeDocument('edgtls_1', [app])];
  reservations.reset(known);
  reservations.reset([]);
  assert.deepEqual([reservations.reservedBy(app), reservations.edgeAccount(app)], [undefined, undefined]);
  assert.deepEqual([...reservations.apply([gone(edgeDocument('edgtls_1', [app]))])], []);
  reservations.reset([configuredReservation('rd_2', app, 'ec_1')]);
  assert.equal(reservations.configurationOf(app), null, 'the configuration is not there any more');
});
