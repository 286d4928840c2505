import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Hostname, isFault, parseHostname } from '../../core/names/hostname.ts';
import { tunnelAt } from '../../online/tunnels.fixture.ts';
import {
  configurationDocument,
  configuredReservation,
  gone,
  put,
  reservation,
} from '../documents.fixture.ts';
import type { Site } from '../sites/site.ts';
import { SiteTable } from './site-table.ts';

/** A backend cannot be applied to a tunnel, which is one itself. */
const inapplicable = (enabled: boolean): object => ({ backend: { enabled, backend_id: 'bkdsc_1' } });
const enabled = inapplicable(true);
const disabled = inapplicable(false);

function name(text: string): Hostname {
  const parsed = parseHostname(text);
  assert.ok(!isFault(parsed), text);
  return parsed;
}

function refusalOf(site: Site | undefined): string | null | undefined {
  return site?.route('/').refusal;
}

/** A table with tunnels online at these names. */
function serving(...names: readonly string[]) {
  const online = new Map(names.map((at) => [at, tunnelAt(at)]));
  const table = new SiteTable({
    online: {
      byName: (at) => online.get(at),
      onNamed: () => {},
      heldFor: () => undefined,
      matching: () => [],
    },
  });
  let changes = 0;
  table.onChange(() => {
    changes += 1;
  });
  const refusal = (at: string) => refusalOf(table.lookup(name(at)));
  return { table, refusal, changes: () => changes };
}

test('a tunnel on a name with a configuration is served until a module of it is turned on', () => {
  const { table, refusal, changes } = serving('a.example.com', 'b.example.com');
  const [rd, ec] = ['rd_1', 'ec_1'];
  table.apply([put(reservation(rd, 'a.example.com')), put(configurationDocument(ec, {}))]);
  const open = table.lookup(name('a.example.com'));
  assert.equal(refusalOf(open), null);
  table.apply([put(configuredReservation(rd, 'a.example.com', ec))]);
  assert.equal(refusal('a.example.com'), null);

  const before = changes();
  table.apply([put(configurationDocument(ec, enabled))]);
  const shut = table.lookup(name('a.example.com'));
  assert.equal(refusalOf(shut), 'moduleWithoutEffect');
  assert.equal(shut?.id, open?.id);
  assert.equal(table.lookup(name('a.example.com')), shut);
  assert.equal(refusal('b.example.com'), null);
  assert.equal(changes(), before + 1);

  table.apply([put(configurationDocument(ec, disabled))]);
  assert.equal(refusal('a.example.com'), null);
  assert.equal(changes(), before + 2);
});

test('a module that cannot be applied counts in the configuration for HTTPS', () => {
  const { table, refusal } = serving('a.example.com');
  const both = { http_endpoint_configuration_id: 'ec_1', https_endpoint_configuration_id: 'ec_2' };
  const document = reservation('rd_1', 'a.example.com');
  table.apply([put({ ...document, body: { ...document.body, ...both } })]);
  for (const ec of ['ec_1', 'ec_2']) {
    const other = ec === 'ec_1' ? 'ec_2' : 'ec_1';
    table.apply([put(configurationDocument(ec, enabled)), put(configurationDocument(other, disabled))]);
    assert.equal(refusal('a.example.com'), ec === 'ec_2' ? 'moduleWithoutEffect' : null, ec);
  }
});

test('what is attached and not known yet lets nothing through', () => {
  const { table, refusal } = serving('a.example.com');
  table.apply([put(configuredReservation('rd_1', 'a.example.com', 'ec_1'))]);
  assert.equal(refusal('a.example.com'), 'moduleWithoutEffect');
  table.apply([put(configurationDocument('ec_1', disabled))]);
  assert.equal(refusal('a.example.com'), null);
});

test('a wildcard covers the names below it, but for those with a reservation of their own', () => {
  const { table, refusal } = serving('x.example.com', 'own.example.com', '*.deep.example.com');
  table.apply([
    put(configurationDocument('ec_1', enabled)),
    put(configuredReservation('rd_1', '*.example.com', 'ec_1')),
    put(reservation('rd_2', 'own.example.com')),
  ]);
  assert.equal(refusal('x.example.com'), 'moduleWithoutEffect');
  assert.equal(refusal('own.example.com'), null);
  assert.equal(refusal('a.deep.example.com'), 'moduleWithoutEffect');
  table.apply([put(reservation('rd_3', '*.deep.example.com'))]);
  assert.equal(refusal('a.deep.example.com'), null);
});

test('a wildcard tunnel does not serve a name below it that has a configuration', () => {
  const { table, refusal } = serving('*.example.com');
  table.apply([
    put(reservation('rd_1', '*.example.com')),
    put(configurationDocument('ec_1', enabled)),
    put(configuredReservation('rd_2', 'own.example.com', 'ec_1')),
  ]);
  assert.equal(refusal('own.example.com'), 'moduleWithoutEffect');
  assert.equal(refusal('x.example.com'), null);
  table.apply([
    put(configuredReservation('rd_1', '*.example.com', 'ec_1')),
    put(reservation('rd_2', 'own.example.com')),
  ]);
  assert.equal(
    refusal('own.example.com'),
    'moduleWithoutEffect',
    'the name that the tunnel has counts as well',
  );
});

test('what is detached, deleted or forgotten by a reset is no longer in the way', () => {
  const { table, refusal } = serving('a.example.com');
  const ec = configurationDocument('ec_1', enabled);
  const attached = configuredReservation('rd_1', 'a.example.com', 'ec_1');
  const isShut = () => assert.equal(refusal('a.example.com'), 'moduleWithoutEffect');
  const isOpen = () => assert.equal(refusal('a.example.com'), null);
  table.reset([attached, ec]);
  isShut();
  table.apply([put(configuredReservation('rd_1', 'a.example.com', null))]);
  isOpen();
  table.apply([put(attached)]);
  isShut();
  table.apply([gone(attached)]);
  isOpen();
  table.reset([ec, attached]);
  isShut();
  table.reset([]);
  isOpen();
  // Reserved anew before the old reservation's end is known.
  const anew = configuredReservation('rd_2', 'a.example.com', 'ec_1');
  table.apply([put(attached), put(ec), put(anew), gone(attached)]);
  isShut();
});
