import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { propertyRuns } from '../../../../../test/harness/property-runs.ts';
import { disguised, reading } from './lenient-upstream.fixture.ts';
import type { Matched } from './loose-routes.ts';
import { RouteChoice } from './route-choice.ts';

const refusals = { routeMissing: 'missing', requestPathAmbiguous: 'ambiguous' };

/** `=/secret` is exact, `/secret` a prefix. The route is named as its match is. */
function route(match: string, ...protections: string[]): Matched<string> {
  const isExact = match.startsWith('=');
  return {
    matchType: isExact ? 'exact_path' : 'path_prefix',
    match: isExact ? match.slice(1) : match,
    protections: new Set(protections),
    route: match,
  };
}

function choiceOf(...routes: Matched<string>[]): RouteChoice<string> {
  return new RouteChoice(routes, refusals);
}

function assertRoutes(choice: RouteChoice<string>, expected: Readonly<Record<string, readonly string[]>>) {
  for (const [name, paths] of Object.entries(expected))
    for (const path of paths) assert.equal(choice.choose(path), name, path);
}

test('an exact route goes before a prefix, a longer prefix before a shorter one', () => {
  assertRoutes(choiceOf(route('/'), route('/admin/'), route('/admin/a'), route('=/admin/abc')), {
    '/': ['/', '*', '', '/administrator', '/%2Fadmin/x', '/ADMIN/a'],
    '/admin/': ['/admin/', '/%61dmin/x', '//admin/x', '/x/../admin/x'],
    '/admin/a': ['/admin/a', '/admin/ab', '/admin/abc/'],
    '=/admin/abc': ['/admin/abc', '/admin/%61bc'],
  });
  assertRoutes(choiceOf(route('/a')), { missing: ['/', '/b', '/A'] });
});

test('without a guard nothing but a NUL is refused', () => {
  assertRoutes(choiceOf(route('/'), route('/admin'), route('=/secret')), {
    '/': [
      '/ADMIN',
      '/secret/',
      '/x%2f..%2fadmin',
      '/x/..;/admin',
      '/%2561dmin',
      '/;x/admin',
      `/${'%2f;'.repeat(2000)}`,
    ],
    ambiguous: ['/%00', '/admin%00'],
  });
});

test('a path that a lenient upstream could take for that of a route with a guard is refused', () => {
  assertRoutes(
    choiceOf(route('/'), route('/admin', 'login'), route('=/secret', 'login'), route('=/kiosk/', 'login')),
    {
      '/admin': ['/admin', '/%61dmin', '/administrator', '/admin;x=1'],
      '=/secret': ['/secret', '/x/../secret', '/%73ecret'],
      '/': [
        '/',
        '/x',
        '/Xadmin',
        '/secrets',
        '/secret/x',
        '/a%20b',
        '/a;b',
        '/%C3%A9',
        '/a/../b',
        '/a//b',
        '/A%2FB/',
        '/a.b.',
      ],
      ambiguous: [
        ...[
          '/ADMIN',
          '/Admin/x',
          '/secret/',
          '/SECRET',
          '/secret//',
          '/SECRET/',
          '/kiosk',
          '/KIOSK',
          '/%4bIOSK',
        ],
        ...[
          '/%2561dmin',
          '/%252561dmin',
          '/%u0061dmin',
          '/%c1%a1dmin',
          '/%e0%81%a1dmin',
          '/%f0%80%81%a1dmin',
        ],
        ...[
          '/secret;x=1',
          '/secret;x/y',
          '/;x/admin',
          '/secret%3bx',
          '/secret;x/',
          '/x/..;/admin',
          '/x/..%3b/secret',
          '/;/secret',
        ],
        ...[
          '/\\admin',
          '/%5cadmin',
          '\\admin',
          '/x\\..\\admin',
          '/x%5c..%5csecret',
          '/%2fadmin',
          '/x%2f..%2fadmin',
        ],
        ...[
          '/secret%09',
          '/secret%20',
          '/%20secret',
          '/%09admin',
          '/sec%0aret',
          '/secret%c2%a0',
          '/secret%e2%80%8b',
        ],
        ...['/secret.', '/secret%23x', '/secret%3fx', '/secret%2500.png', '/secret%c0%80'],
        ...['/%ef%bd%81dmin', '/%ef%bc%8fadmin', '/%E2%84%AAiosk/', '/%C5%BFecret', '/\u00c5\u00bfecret'],
        ...[
          '//x/admin',
          '///x/secret',
          '/\\x/secret',
          '//x/%2561dmin',
          '/admin/../x',
          '/admin/%2e%2e/x',
          '/x/%252e%252e/secret',
        ],
        ...['/x/..%3b/..;/secret', '/SECRET%2F', '/%2573ECRET/;x'],
      ],
    },
  );
});

test('a reading that leaves the guarded path does not hide another one that stays in it', () => {
  const choice = choiceOf(
    route('/'),
    route('/admin', 'login'),
    route('=/admin/health'),
    route('/admin/open/'),
  );
  assertRoutes(choice, {
    '=/admin/health': ['/admin/health', '/admin/%68ealth'],
    '/admin/open/': ['/admin/open/', '/admin/open/a%20b', '/admin/open/A/B/', '/admin/open/c;d/e'],
    '/admin': ['/admin/health/', '/admin/HEALTH', '/admin/x/../open', '/admin/open'],
    ambiguous: ['/ADMIN/health/', '/ADMIN/x/../health', '/admin/open/x%2f..%2f..%2fy', '/admin/x/../open/y'],
  });
});

test('a guard counts as one that the chosen route has if its configuration is the same', () => {
  const routes = [
    route('/', 'login a'),
    route('/admin', 'login a'),
    route('/top', 'login b'),
    route('/both', 'login a', 'login b'),
  ];
  assertRoutes(choiceOf(...routes), {
    '/': ['/ADMIN', '/%2561dmin'],
    '/admin': ['/admin', '/admin/'],
    '/top': ['/top'],
    ambiguous: ['/TOP', '/admin%2f..%2ftop', '/top%2f..%2fadmin/../x'],
  });
});

test('an open path below a guarded root stays open, also with characters of its own', () => {
  const routes = [
    route('/', 'login'),
    route('/Öffentlich/'),
    route('/my docs/'),
    route('=/a;b'),
    route('=/100%'),
    route('/a+b/'),
  ];
  assertRoutes(choiceOf(...routes), {
    '/Öffentlich/': ['/%C3%96ffentlich/', '/%C3%96ffentlich/X', '/%C3%96ffentlich/a%20b'],
    '/my docs/': ['/my%20docs/', '/my%20docs/A%20b/c', '/my%20docs/%C3%A9'],
    '=/a;b': ['/a;b', '/a%3bb'],
    '=/100%': ['/100%', '/100%25'],
    '/a+b/': ['/a+b/c', '/a%2bb/c'],
    ambiguous: ['/my%20docs/x%2f..%2f..%2fy', '//my%20docs/x'],
  });
});

test('a letter that one upstream takes for another one, and the next one does not, opens no guarded path', () => {
  const choice = choiceOf(route('/'), route('/kiosk/', 'login'), route('/kiosk/open/'), route('/kiosk/ops/'));
  assertRoutes(choice, {
    ambiguous: [
      '/kiOsk/ope%EF%BD%8E/.%3b./x',
      '/KIOSK/ope%EF%BD%8E/..;/x',
      '/KIOSK/op%C5%BF/..;/x',
      '/KIOSK/op%C5%BF/x',
    ],
    '/kiosk/': ['/kiosk/op%C5%BF/x', '/kiosk/ope%EF%BD%8E/x'],
    '/kiosk/open/': ['/kiosk/open/x'],
  });
});

test('a path with more readings than are looked at is refused where a guard could be walked around', () => {
  const choice = choiceOf(route('/'), route('/admin', 'login'));
  const many = Array.from({ length: 40 }, (_, at) => `/%${'25'.repeat(at)}61;%2f`).join('');
  assert.equal(choice.choose(many), 'ambiguous');
  assert.equal(choice.choose(`/${'x%20/'.repeat(1000)}`), '/');
});

const guarded = [route('=/secret', 'login'), route('/kiosk/', 'login')];
const choice = choiceOf(route('/'), route('/kiosk/open/'), ...guarded);

/** Returns true if a guard protects the path that an upstream read. */
function isProtected(path: string): boolean {
  return path === '/secret' || (path.startsWith('/kiosk/') && !`${path}/`.startsWith('/kiosk/open/'));
}

test('however an upstream reads a path, it gets none of a guarded route without the guard', () => {
  const targets = fc.constantFrom(
    '/secret',
    '/secret/',
    '/kiosk/x',
    '/kiosk/open/../x',
    '/kiosk/x/../../secret',
    '/open/kiosk/..',
  );
  let reached = 0;
  fc.assert(
    fc.property(targets.chain(disguised), reading, (path, read) => {
      if (!isProtected(read(path))) return;
      reached += 1;
      const chosen = choice.choose(path);
      assert.ok(chosen !== '/' && chosen !== '/kiosk/open/', `${path} is read as ${read(path)}`);
    }),
    { numRuns: propertyRuns(40_000) },
  );
  assert.ok(reached > 100, `${reached} paths were read as protected ones`);
});

test('however an upstream reads a path of an open route, it gets none of the guarded root', () => {
  const below = choiceOf(route('/', 'login'), route('/open/'), route('=/health'));
  const targets = fc.constantFrom('/open/x', '/open/../x', '/open/x/../../y', '/health', '/health/../x');
  let opened = 0;
  fc.assert(
    fc.property(targets.chain(disguised), reading, (path, read) => {
      const chosen = below.choose(path);
      if (chosen === '/' || chosen === 'ambiguous') return;
      opened += 1;
      const seen = `${read(path)}/`;
      assert.ok(seen.startsWith('/open/') || /^\/health\/+$/.test(seen), `${path} is read as ${seen}`);
    }),
    { numRuns: propertyRuns(40_000) },
  );
  assert.ok(opened > 100, `${opened} paths were let through`);
});
