import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import fc from 'fast-check';
import { altered } from '../../../../test/harness/altered-text.ts';
import { propertyRuns } from '../../../../test/harness/property-runs.ts';
import { defaultUserHeaders } from '../core/modules/user-headers.ts';
import { ProfileFault } from '../core/profile.ts';
import { ConfigError } from './options.ts';
import { parseProfile, readProfile } from './profile-file.ts';

const example = fileURLToPath(new URL('../../../../docs/build/profile.yaml', import.meta.url));
const defaults = { errorPrefix: 'ERR_SERVICE_' };

test('the example is read, every word with its line', () => {
  const { words, ...names } = readProfile(example, defaults);
  assert.deepEqual(names, {
    path: example,
    versionHeader: 'Example-Version',
    errorPrefix: 'ERR_EXAMPLE_',
    operationIdHeader: 'example-operation-id',
    errorCodeHeader: 'example-error-code',
    userHeaders: {
      id: 'example-auth-user-id',
      email: 'example-auth-user-email',
      name: 'example-auth-user-name',
      groups: 'example-auth-user-groups',
    },
    cookiePrefix: 'example.',
  });
  const lines = readFileSync(example, 'utf8').split('\n');
  assert.equal(words.length, 23);
  for (const { line, theirs, value, field } of words) {
    assert.ok(lines[line - 1]?.includes(theirs), `line ${line}`);
    assert.ok(lines[line - 1]?.includes(value ?? field.join('.')), `line ${line}`);
  }
});

test('what a profile does not name stays as it is', () => {
  const text = 'version-header: X-Version\nerror-prefix: ERR\n';
  assert.deepEqual(parseProfile(text, 'p', defaults), {
    path: 'p',
    versionHeader: 'X-Version',
    errorPrefix: 'ERR_',
    operationIdHeader: 'underpass-operation-id',
    errorCodeHeader: 'underpass-error-code',
    userHeaders: defaultUserHeaders,
    cookiePrefix: '',
    words: [],
  });
  assert.equal(parseProfile('version-header: X-Version', 'p', defaults).errorPrefix, 'ERR_SERVICE_');
});

const V = 'version-header: X-Version\n';
const faults: readonly (readonly [text: string, line: number, message: RegExp])[] = [
  ['', 1, /the file must be a map/],
  ['- a', 1, /the file must be a map/],
  ['error-prefix: E', 1, /"version-header" is missing/],
  [`${V}version: 2`, 2, /there is no key "version"; there are version-header, /],
  [`${V}version-header: Y`, 2, /unique/i],
  [`${V}a: [1`, 2, /flow sequence/i],
  [`${V}error-prefix: a-b`, 2, /"error-prefix" must be letters, digits and underscores, not "a-b"/],
  [`${V}error-prefix: 5`, 2, /"error-prefix" must be text/],
  [`${V}cookie-prefix: a_b`, 2, /"cookie-prefix" must be letters, digits and dots/],
  [`${V}response-headers: x`, 2, /"response-headers" must be a map/],
  [
    `${V}response-headers:\n  request-id: x`,
    3,
    /no key "response-headers: request-id"; there are operation-id/,
  ],
  [`${V}response-headers:\n  error-code: "a b"`, 3, /"response-headers: error-code" must be a header name/],
  [
    `${V}request-headers:\n  user: x`,
    3,
    /no key "request-headers: user"; there are user-id, user-email, user-name, user-groups/,
  ],
  [`${V}request-headers:\n  user-id: Cookie`, 3, /"request-headers: user-id" must be a header name/],
  [`${V}request-headers:\n  user-id: x\n  user-name: X`, 3, /a name that no other of them has, not "x"/],
  [
    `${V}request-headers:\n  user-email: underpass-auth-user-id`,
    3,
    /"request-headers: user-email" must be a name that no other of them has/,
  ],
  [`${V}fields:\n  /tunnels:`, 3, /"fields: \/tunnels" must be a map/],
  [`${V}fields:\n  /tunnels:\n    id: [a]`, 4, /"fields: \/tunnels: id" must be text/],
  [`${V}fields:\n  /tunnels:\n    id: a b`, 4, /"id" must be called something of letters/],
  [`${V}fields:\n  /tunnels:\n    id: __proto__`, 4, /must be called something of letters/],
  [`${V}fields:\n  /tunnels:\n    1: a`, 4, /a key must be text/],
  [`${V}values:\n  /tunnels:\n    proto: http`, 4, /"values: \/tunnels: proto" must be a map/],
];
for (const name of [
  'Host',
  'content-length',
  'Authorization',
  'Sec-Fetch-Mode',
  'X-Forwarded-For',
  'a_b',
  '-',
]) {
  test(`${name} is no header for a version`, () => {
    assert.throws(
      () => parseProfile(`version-header: "${name}"`, 'p', defaults),
      /line 1: "version-header" must be/,
    );
  });
}
for (const [text, line, message] of faults) {
  test(`${JSON.stringify(text)} is refused, and its line named`, () => {
    assert.throws(
      () => parseProfile(text, 'p', defaults),
      (error) => {
        assert.ok(error instanceof ProfileFault, String(error));
        assert.ok(error.message.startsWith(`line ${line}: `), error.message);
        assert.match(error.message, message);
        return true;
      },
    );
  });
}

test('a file that is not there is a bad option', () => {
  assert.throws(
    () => readProfile('/nowhere/p.yaml', defaults),
    (error) => {
      assert.ok(error instanceof ConfigError);
      assert.match(error.message, /^--profile \/nowhere\/p.yaml: cannot be read: there is no such file$/);
      return true;
    },
  );
});

test('whatever stands in a file, it is a profile or a fault with its line', () => {
  const read = (text: string) => {
    try {
      parseProfile(text, 'p', defaults);
    } catch (error) {
      assert.ok(error instanceof ProfileFault, String(error));
      assert.match(error.message, /^line [1-9]\d*: /);
    }
  };
  for (const piece of ['[', '{a: ', '- ', '? ']) read(piece.repeat(20_000));
  fc.assert(fc.property(altered(readFileSync(example, 'utf8')), read), { numRuns: propertyRuns(1000) });
});
