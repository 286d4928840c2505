import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { type MatchFault, matchFault } from './path-match.ts';

test('what a path can be, a route can match', () => {
  for (const match of [
    '/',
    '/admin',
    '/admin/',
    '/a b/grüße/日本',
    '/.well-known/acme-challenge',
    '/.../..a/a../',
    '/100%/%zz',
    '/a;x=1&b=*',
    `/'"<>|{}`,
  ]) {
    assert.equal(matchFault(match, 'exact_path'), null, match);
    assert.equal(matchFault(match, 'path_prefix'), null, match);
  }
});

test('what no path is once it is decoded and resolved, no route can match', () => {
  const wrong: [string, MatchFault][] = [
    ['', 'not-absolute'],
    ['admin', 'not-absolute'],
    ['*', 'not-absolute'],
    ['https://a.example.com/', 'not-absolute'],
    ['/%2e%2E/admin', 'encoded'],
    ['/api%2Fadmin', 'encoded'],
    ['/%00', 'encoded'],
    ['/caf%C3%A9', 'encoded'],
    ['/a?b=c', 'character'],
    ['/a#b', 'character'],
    ['/a\\b', 'character'],
    ['/a\0b', 'character'],
    ['/a\r\nb', 'character'],
    ['/a\x7f', 'character'],
    ['/a\ud800b', 'character'],
    ['//admin', 'empty-segment'],
    ['/a//', 'empty-segment'],
    ['/./admin', 'dot-segment'],
    ['/api/../admin', 'dot-segment'],
  ];
  for (const [match, fault] of wrong) {
    assert.equal(matchFault(match, 'exact_path'), fault, JSON.stringify(match));
    assert.equal(matchFault(match, 'path_prefix'), fault, JSON.stringify(match));
  }
});

test('a prefix may end in dots, because its last segment may go on', () => {
  for (const match of ['/.', '/..', '/a/.', '/a/..']) {
    assert.equal(matchFault(match, 'exact_path'), 'dot-segment', match);
    assert.equal(matchFault(match, 'path_prefix'), null, match);
  }
});

test('a path that a URL parser leaves alone is one that a route can match, and no other', () => {
  const parts = fc.constantFrom('a', 'B', '.', '..', '/', '?', '#', '\\', '%2e', '~', ';', '\0', '\n');
  const texts = fc.array(parts, { maxLength: 8 }).map((some) => `/${some.join('')}`);
  fc.assert(
    fc.property(texts, (match) => {
      const url = new URL(`https://a.example.com${match}`);
      const resolved = url.pathname === match && url.search === '' && url.hash === '';
      const normal = resolved && !match.includes('//') && !match.includes('%');
      // True if neither an empty query nor an empty fragment follows.
      const bare = !/[?#]$/.test(match);
      assert.equal(matchFault(match, 'exact_path') === null, normal && bare, JSON.stringify(match));
    }),
  );
});
