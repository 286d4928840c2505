import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import fc from 'fast-check';
import type { ErrorName } from '../../errors/catalogue.ts';
import { Problem } from '../../errors/problem.ts';
import { proxy } from '../../store/proxy.fixture.ts';
import { wantedDomain } from '../domain-names.ts';
import { domainClaims } from '../domain-owners.ts';
import { createEngine } from '../engine/engine.ts';
import { collection, type Platform, pattern, refused, startPlatform } from '../engine.fixture.ts';

let platform: Platform;
before(async () => {
  platform = await startPlatform();
});
after(() => platform.close());

const nobody = '0ujtsYcgvSTl8PAuAdqWYSMnLOv';
const reserve = (body: object, as = platform.admin) => platform.create('reserved_domain', body, as);

describe('names of reserved domains', () => {
  test('a label is a name below the shared domain, anything with a dot is a whole name', async () => {
    assert.equal((await reserve({ name: 'My-App' })).domain, 'my-app.underpass.localhost');
    assert.equal((await reserve({ name: 'App.Example.com.' })).domain, 'app.example.com');
    assert.equal((await reserve({ domain: '*.Example.org' })).domain, '*.example.org');
    assert.equal((await reserve({ name: 'Bücher.example' })).domain, 'xn--bcher-kva.example');
    assert.equal((await reserve({ domain: 'deep.underpass.localhost' })).domain, 'deep.underpass.localhost');
  });

  test("white space around a name is nobody's, and makes no other name", async () => {
    assert.equal((await reserve({ name: ' \tspace-1 ' })).domain, 'space-1.underpass.localhost');
    assert.equal((await reserve({ domain: '\n*.space.example.com\r\n' })).domain, '*.space.example.com');
    await refused(reserve({ name: 'space-1\u00a0' }), 'domainTakenHere');
    await refused(reserve({ domain: ' label ' }), 'domainNotFullyQualified');
    await refused(reserve({ name: ' ' }), 'domainNameMissing');
    const edge = await platform.create('tls_edge', { hostports: [' Space-1.underpass.localhost:443 '] });
    assert.deepEqual(edge.hostports, ['space-1.underpass.localhost:443']);
  });

  test('what cannot be a name is refused with a code of its own', async () => {
    const wrong: [object, ErrorName][] = [
      [{}, 'domainNameMissing'],
      [{ name: '' }, 'domainNameMissing'],
      [{ name: null, domain: null }, 'domainNameMissing'],
      [{ name: 'a', domain: 'a.example.com' }, 'domainNameAndDomain'],
      [{ domain: 'label' }, 'domainNotFullyQualified'],
      [{ domain: 'localhost' }, 'domainNotFullyQualified'],
      [{ name: 'a b.example.com' }, 'domainNameCharacter'],
      [{ name: 'a@b' }, 'domainNameCharacter'],
      [{ name: 'a.example.com/x' }, 'domainNameCharacter'],
      [{ name: 'a.example.com:443' }, 'domainNameCharacter'],
      [{ name: 'a.exam\u0000ple.com' }, 'domainNameCharacter'],
      [{ name: '-a.example.com' }, 'domainNameFirst'],
      [{ name: 'a-.example.com' }, 'domainNameLast'],
      [{ name: 'a..example.com' }, 'domainNameDots'],
      [{ name: 'ab--c.example.com' }, 'domainNameHyphens'],
      [{ name: 'a.example.123' }, 'domainNameTopLevel'],
      [{ name: 'xn--a.example.com' }, 'domainNamePunycode'],
      [{ name: 'a_b.example.com' }, 'domainNameUnderscore'],
      [{ name: '10.0.0.1' }, 'domainNameIsAddress'],
      [{ name: `${'a'.repeat(64)}.example.com` }, 'domainLabelTooLong'],
      [{ name: `${'a.'.repeat(130)}com` }, 'domainNameTooLong'],
      [{ name: 'a.*.example.com' }, 'domainWildcardMisplaced'],
      [{ name: '*.*.example.com' }, 'domainWildcardMisplaced'],
      [{ name: 'a*.example.com' }, 'domainWildcardPartial'],
      [{ name: '**.example.com' }, 'domainWildcardPartial'],
      [{ name: '*.com' }, 'domainWildcardBareSuffix'],
      [{ name: 'underpass.localhost' }, 'domainBaseNotReservable'],
      [{ name: '*.underpass.localhost' }, 'domainBaseNotReservable'],
      [{ name: '*' }, 'domainBaseNotReservable'],
      [{ name: 'API' }, 'domainBaseNotReservable'],
      [{ name: 'connect.underpass.localhost' }, 'domainBaseNotReservable'],
      [{ name: 'x.api.underpass.localhost' }, 'domainBelowRestricted'],
      [{ name: '*.connect.underpass.localhost' }, 'domainBelowRestricted'],
      [{ name: 'a.b.cname.underpass.localhost' }, 'domainBelowRestricted'],
      [{ name: 'us' }, 'domainBaseNotReservable'],
      [{ name: 'internal' }, 'domainBaseNotReservable'],
      [{ name: '*.acme.underpass.localhost' }, 'domainBelowRestricted'],
      [{ name: 'x.cname.us.underpass.localhost' }, 'domainBelowRestricted'],
      [{ name: '*.cname.eu.underpass.localhost' }, 'domainBelowRestricted'],
    ];
    for (const [body, error] of wrong) await refused(reserve(body), error);
  });

  test('a wildcard above the shared domain is refused', () => {
    const place = { domain: 't.example.com', baseUrl: 'https://api.other.example' } as never;
    for (const name of [
      '*.example.com',
      '*.t.example.com',
      't.example.com',
      'api.other.example',
      '*.other.example',
    ]) {
      assert.throws(() => wantedDomain(name, undefined, place), { code: 'domainBaseNotReservable' });
    }
    assert.equal(wantedDomain('example.com', undefined, place), 'example.com');
    assert.equal(wantedDomain('xapi.t.example.com', undefined, place), 'xapi.t.example.com');
  });

  test('any text is a name or a problem', () => {
    fc.assert(
      fc.property(fc.string(), fc.boolean(), (text, whole) => {
        try {
          wantedDomain(whole ? undefined : text, whole ? text : undefined, platform.settings);
        } catch (error) {
          assert.ok(error instanceof Problem, String(error));
          assert.doesNotMatch(error.message.replace(text, ''), /\{value\}/);
        }
      }),
    );
  });
});

describe('who may reserve what', () => {
  test('a name is reserved once', async () => {
    await reserve({ name: 'once.example.com' });
    await refused(reserve({ name: 'ONCE.example.com.' }), 'domainTakenHere');
    await refused(reserve({ domain: 'once.example.com' }, platform.stranger), 'domainTakenElsewhere');
  });

  test('of many writers for one name, one gets it', async () => {
    const results = await Promise.allSettled(
      Array.from({ length: 8 }, (_, index) =>
        reserve({ name: 'wanted' }, index % 2 === 0 ? platform.admin : platform.stranger),
      ),
    );
    assert.equal(results.filter((result) => result.status === 'fulfilled').length, 1);
    for (const result of results) {
      if (result.status === 'rejected') assert.match(result.reason.code, /^domainTaken(Here|Elsewhere)$/);
    }
  });

  test('a wildcard keeps other accounts out of what is below it, and the other way round', async () => {
    await reserve({ name: '*.kept.example.com' });
    await reserve({ name: 'in.kept.example.com' });
    for (const name of ['a.kept.example.com', 'b.a.kept.example.com', '*.a.kept.example.com']) {
      await refused(reserve({ name }, platform.stranger), 'domainTakenElsewhere');
    }
    await reserve({ name: 'kept.example.com' }, platform.stranger);
    await reserve({ name: 'a.held.example.com' });
    await refused(reserve({ name: '*.held.example.com' }, platform.stranger), 'domainWildcardOverlap');
    await reserve({ name: '*.held.example.com' });
  });

  test('a wildcard and a name below it, asked for at once by two accounts, are not both given', async () => {
    for (let round = 0; round < 10; round++) {
      const below = `r${round}.race.example.com`;
      const results = await Promise.allSettled([
        reserve({ name: `*.${below}` }),
        reserve({ name: `a.${below}` }, platform.stranger),
      ]);
      assert.equal(results.filter((result) => result.status === 'fulfilled').length, 1);
      const left = await platform.store.snapshot(['reserved_domain']);
      const kept = left.documents.filter((one) => String(one.body.domain).endsWith(below));
      assert.equal(kept.length, 1);
    }
  });

  test('a wildcard is judged by the names below it alone, however many there are elsewhere', async () => {
    const { settings, online, sealer, admin, store, stranger } = platform;
    const rest = { description: '', metadata: '', region: 'us', certificate_id: null, cname_target: '' };
    const insert = (account: string, names: readonly string[]) =>
      store.write((newId) =>
        names.map((name) => {
          const about = { id: newId('rd'), account, kind: 'reserved_domain', parent: null, links: [] };
          return {
            op: 'insert',
            ...about,
            body: { ...rest, domain: name },
            names: domainClaims(pattern(name)),
          };
        }),
      );
    const numbered = (suffix: string) => Array.from({ length: 600 }, (_, at) => `n${at}.${suffix}`);
    await insert(stranger.account, numbered('far.example'));
    await insert(stranger.account, ['near.example', 'xnear.example', '*.also-near.example']);
    await insert(admin.account, numbered('near.example'));
    let read = 0;
    const counted = proxy(store, {
      snapshot: () => assert.fail('everything was read'),
      async names(query) {
        const holders = await store.names(query);
        read += holders.length;
        return holders;
      },
    });
    const engine = createEngine({ settings, online, sealer, now: Date.now, store: counted });
    const reserveCounted = (name: string) => {
      read = 0;
      return engine.create(collection('reserved_domain'), admin, { name });
    };
    await reserveCounted('*.free.near.example');
    assert.equal(read, 1, 'itself, when it is looked at once more');
    await reserveCounted('*.near.example');
    assert.equal(read, 601 + 602);
    await insert(stranger.account, ['z.last.near.example']);
    await refused(reserveCounted('*.last.near.example'), 'domainWildcardOverlap');
    assert.equal(read, 1);
  });

  test('a shared name keeps other accounts out of what is below it', async () => {
    await reserve({ name: 'team' });
    await refused(
      reserve({ name: 'a.team.underpass.localhost' }, platform.stranger),
      'domainBelowRestricted',
    );
    await refused(
      reserve({ name: '*.team.underpass.localhost' }, platform.stranger),
      'domainBelowRestricted',
    );
    await reserve({ name: '*.team.underpass.localhost' });
  });

  test('a name that another account has online is refused', async () => {
    await platform.tunnel(platform.stranger.account, { name: 'busy.underpass.localhost' });
    await refused(reserve({ name: 'busy' }), 'domainOnlineElsewhere', { field: '/name' });
    await refused(reserve({ domain: 'busy.underpass.localhost' }), 'domainOnlineElsewhere', {
      field: '/domain',
    });
    await reserve({ name: 'busy' }, platform.stranger);
  });

  test('a name that is held for an agent of another account is refused, and so is a wildcard over it', async () => {
    const { online, stranger } = platform;
    online.held.set(pattern('a.lost.example.com'), stranger.account);
    for (const name of ['a.lost.example.com', '*.lost.example.com'])
      await refused(reserve({ name }), 'domainHeldElsewhere', { field: '/name' });
    assert.equal((await reserve({ name: 'a.lost.example.com' }, stranger)).domain, 'a.lost.example.com');
    await reserve({ name: 'b.lost.example.com' });
  });

  test('binds of the name wait until it is written and looked at once more, or refused', async () => {
    const { store, settings, online, sealer, admin, stranger } = platform;
    const seen: string[] = [];
    const look = <T>(read: Promise<T>): Promise<T> => {
      seen.push(...online.suspended.map(String));
      return read;
    };
    const watched = createEngine({
      settings,
      online,
      sealer,
      now: Date.now,
      store: proxy(store, {
        findName: (claim) => look(store.findName(claim)),
        names: (query) => look(store.names(query)),
        snapshot: (kinds) => look(store.snapshot(kinds)),
        write: (build) => look(store.write(build)),
      }),
    });
    const domain = 'pending.example.com';
    const of = collection('reserved_domain');
    await watched.create(of, admin, { domain });
    assert.ok(seen.length > 1 && seen.every((name) => name === domain), seen.join());
    assert.deepEqual(online.suspended, []);
    await refused(watched.create(of, stranger, { domain }), 'domainTakenElsewhere');
    assert.deepEqual(online.suspended, []);
  });

  test('a deleted name is free again', async () => {
    const { id } = await reserve({ name: 'again' });
    await platform.remove('reserved_domain', id);
    await reserve({ name: 'again' }, platform.stranger);
  });
});

describe('what else a reserved domain says', () => {
  test('the region is one of the list and cannot change', async () => {
    const { id, region } = await reserve({ name: 'here', region: 'eu' });
    assert.equal(region, 'eu');
    await platform.update('reserved_domain', id, { region: 'eu' });
    await refused(platform.update('reserved_domain', id, { region: 'us' }), 'domainRegionFixed');
    const { details } = await refused(reserve({ name: 'there', region: 'mars' }), 'domainRegionInvalid');
    assert.deepEqual(details.allowed, ['au', 'eu', 'ap', 'us', 'jp', 'in', 'sa']);
    await refused(platform.update('reserved_domain', id, { region: 'EU' }), 'domainRegionInvalid');
  });

  test('the region is us when it is not given, wherever the daemon runs', async () => {
    const { store, online, sealer, admin } = platform;
    const settings = { ...platform.settings, region: 'eu' } as const;
    const abroad = createEngine({ store, settings, online, sealer, now: Date.now });
    const { region } = await abroad.create(collection('reserved_domain'), admin, { name: 'abroad' });
    assert.equal(region, 'us');
  });

  test('a custom name has a CNAME target that stays, a shared one has none', async () => {
    const { id, cname_target } = await reserve({ name: 'cname.example.com', region: 'jp' });
    assert.match(String(cname_target), /^[0-9a-f]{20}\.cname\.jp\.underpass\.localhost$/);
    const updated = await platform.update('reserved_domain', id, { description: 'x' });
    assert.equal(updated.cname_target, cname_target);
    assert.equal((await reserve({ name: 'no-cname' })).cname_target, null);
  });

  test('only a wildcard of a custom name has a target for its challenges', async () => {
    const target = async (name: string) => (await reserve({ name })).acme_challenge_cname_target;
    assert.match(
      String(await target('*.challenge.example.com')),
      /^[0-9a-f]{20}\.acme\.underpass\.localhost$/,
    );
    assert.equal(await target('challenge.example.com'), null);
    assert.equal(await target('*.challenge.underpass.localhost'), null);
  });

  test('certificates that there cannot be are refused by name', async () => {
    const policy = { authority: 'public_ca', private_key_type: 'ecdsa' };
    const cases: [object, ErrorName, ErrorName][] = [
      [{ certificate_id: `cert_${nobody}` }, 'certificateUnknown', 'domainSharedCertificate'],
      [{ certificate_id: `ca_${nobody}` }, 'referenceOfWrongKind', 'referenceOfWrongKind'],
      [{ certificate_management_policy: policy }, 'managedCertificateUnavailable', 'domainSharedManaged'],
      [
        { certificate_management_policy: { ...policy, authority: 'x' } },
        'domainAuthorityInvalid',
        'domainAuthorityInvalid',
      ],
      [
        { certificate_management_policy: { private_key_type: 'dsa' } },
        'certificateKeyTypeInvalid',
        'certificateKeyTypeInvalid',
      ],
      [
        { certificate_id: `cert_${nobody}`, certificate_management_policy: policy },
        'domainCertificateAndPolicy',
        'domainCertificateAndPolicy',
      ],
    ];
    const { id: custom } = await reserve({ name: 'certs.example.com' });
    const { id: shared } = await reserve({ name: 'certs' });
    for (const [body, forCustom, forShared] of cases) {
      await refused(reserve({ name: 'other.example.com', ...body }), forCustom);
      await refused(reserve({ name: 'other', ...body }), forShared);
      await refused(platform.update('reserved_domain', custom, body), forCustom);
      await refused(platform.update('reserved_domain', shared, body), forShared);
    }
  });
});

test('a name that comes into use before its overlap is found stays, and the answer names both', async () => {
  const { store, settings, online, sealer, admin, stranger } = platform;
  let edge = '';
  const racing = createEngine({
    settings,
    online,
    sealer,
    now: Date.now,
    store: proxy(store, {
      async write(build) {
        if (edge !== '') return store.write(build);
        await reserve({ domain: '*.race.example' }, stranger);
        const revision = await store.write(build);
        edge = (await platform.create('tls_edge', { hostports: ['app.race.example:443'] })).id;
        return revision;
      },
    }),
  });
  const creation = racing.create(collection('reserved_domain'), admin, { domain: 'app.race.example' });
  const problem = await refused(creation, 'creationNotUndone');
  assert.deepEqual(problem.details.used_by, [edge]);
  assert.match(problem.message, /reserved by another account/);
  const { items } = await platform.list('reserved_domain');
  const standing = items.find(({ domain }) => domain === 'app.race.example');
  assert.ok(problem.message.includes(String(standing?.id)));
});

const PLACES = ['au', 'eu', 'ap', 'us', 'jp', 'in', 'sa', 'global'];

describe('resolves_to', () => {
  test('is stored and shown, changed by an update, and kept by one that leaves it out', async () => {
    const { id, resolves_to } = await platform.create('reserved_domain', { name: 'placed' });
    assert.deepEqual(resolves_to, []);
    const places = [{ value: 'eu' }, { value: 'global' }];
    const given = await platform.create('reserved_domain', { name: 'given', resolves_to: places });
    assert.deepEqual(given.resolves_to, places);
    const update = async (patch: object) =>
      (await platform.update('reserved_domain', String(id), patch)).resolves_to;
    assert.deepEqual(await update({ resolves_to: places }), places);
    assert.deepEqual(await update({ description: 'a' }), places);
    assert.deepEqual(await update({ resolves_to: null }), places);
    assert.deepEqual(await update({ resolves_to: [] }), []);
    const field = '/resolves_to/0/value';
    const wrong = platform.update('reserved_domain', String(id), { resolves_to: [{ value: 'mars' }] });
    await assert.rejects(wrong, { code: 'domainResolvesToInvalid', details: { field, allowed: PLACES } });
  });
});
