import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Hostname, isFault, parseHostname } from '../../core/names/hostname.ts';
import type { TunnelHandle } from '../../online/online.ts';
import { factsAt, tunnelOf } from '../../online/tunnels.fixture.ts';
import {
  configurationDocument,
  httpsEdgeDocument,
  proofDocument,
  put,
  reservation,
} from '../documents.fixture.ts';
import { SiteTable } from './site-table.ts';

function hostname(text: string): Hostname {
  const name = parseHostname(text);
  assert.ok(!isFault(name));
  return name;
}

function serving({
  plain,
  secured,
  requireProof = false,
}: {
  readonly plain: readonly string[];
  readonly secured: readonly string[];
  readonly requireProof?: boolean;
}) {
  const tunnels = (names: readonly string[], isPlain: boolean): ReadonlyMap<string, TunnelHandle> =>
    new Map(
      names.map((name) => [name, tunnelOf(factsAt(name, { endpoint: { id: `ep_${name}`, isPlain } }))]),
    );
  const [withoutTls, withTls] = [tunnels(plain, true), tunnels(secured, false)];
  return new SiteTable({
    requireProof,
    online: {
      byName: (name) => withTls.get(name),
      onNamed: () => {},
      heldFor: () => undefined,
      matching: () => [],
    },
    withoutTls: {
      byPlainName: (name) => withoutTls.get(name),
      ports: new Set(),
      byPort: () => undefined,
      onPorts() {},
    },
  });
}

test('plain HTTP is for the tunnel that is bound for it, unless something nearer to the name is reached with TLS', () => {
  const table = serving({ plain: ['a.x.com', '*.x.com'], secured: ['b.x.com'] });
  const plainSite = (name: string) => table.lookupPlain(hostname(name))?.id;
  assert.equal(plainSite('a.x.com'), 'ep_a.x.com');
  assert.equal(plainSite('c.x.com'), 'ep_*.x.com');
  assert.equal(plainSite('b.x.com'), undefined, 'a tunnel for HTTPS');
  assert.equal(plainSite('x.com'), undefined);
  table.apply([put(httpsEdgeDocument('edghts_1', ['c.x.com']))]);
  assert.equal(plainSite('c.x.com'), undefined, 'an edge');
  const site = table.lookupPlain(hostname('a.x.com'));
  assert.deepEqual([site?.tls, site?.carries, site?.edgeType], [null, 'http', '0']);
  assert.equal(table.lookup(hostname('a.x.com')), undefined, 'with TLS there is nothing');
});

test('plain HTTP of a name that needs a proof is served from the proof on', () => {
  const table = serving({ plain: ['a.x.com'], secured: [], requireProof: true });
  const plainSite = () => table.lookupPlain(hostname('a.x.com'))?.id;
  assert.equal(plainSite(), 'ep_a.x.com', 'no account has the name');
  table.apply([put(reservation('rd_1', 'a.x.com'))]);
  assert.equal(plainSite(), undefined);
  table.apply([put(proofDocument('dp_1', 'rd_1', 'text'))]);
  assert.equal(plainSite(), 'ep_a.x.com');
});

test('the configuration for HTTPS says nothing about plain HTTP, and that for HTTP does', () => {
  const table = serving({ plain: ['a.x.com'], secured: [] });
  const refusal = () => {
    const route = table.lookupPlain(hostname('a.x.com'))?.route('/');
    return typeof route === 'object' ? route.refusal : route;
  };
  const ids = { http_endpoint_configuration_id: 'ec_1', https_endpoint_configuration_id: 'ec_2' };
  const document = reservation('rd_1', 'a.x.com');
  const inapplicable: object = { backend: { enabled: true, backend_id: 'bkdsc_1' } };
  table.apply([
    put({ ...document, body: { ...document.body, ...ids } }),
    put(configurationDocument('ec_1', {})),
  ]);
  table.apply([put(configurationDocument('ec_2', inapplicable))]);
  assert.equal(refusal(), null);
  table.apply([put(configurationDocument('ec_1', inapplicable))]);
  assert.equal(refusal(), 'moduleWithoutEffect');
});
