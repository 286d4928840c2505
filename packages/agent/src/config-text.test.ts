import assert from 'node:assert/strict';
import { test } from 'node:test';
import { InvalidInput } from './address.ts';
import { withSettings } from './config-text.ts';

const LOGIN = { server: 'new.example:443', authtoken: 'token: "of" #many', ca: undefined };

test('only the settings change: comments, order, blanks and quotes of all else stay', () => {
  const text = `# ours
server:   'old.example:443'   # the office
tunnels:
    web: {upstream: 3000,   domain: "demo.example.com"} # the shop


    # none yet
ca: old.pem
authtoken:  # secret
`;
  assert.equal(
    withSettings(text, LOGIN),
    `# ours
server: new.example:443   # the office
tunnels:
    web: {upstream: 3000,   domain: "demo.example.com"} # the shop


    # none yet
authtoken: 'token: "of" #many'  # secret
`,
  );
});

test('what is not there yet comes first', () => {
  const made = `server: new.example:443\nauthtoken: 'token: "of" #many'\n`;
  assert.equal(withSettings('', LOGIN), made);
  assert.equal(withSettings('# only a comment', LOGIN), `${made}# only a comment`);
  assert.equal(
    withSettings('%YAML 1.2\n---\ntunnels: {}\n...\n', LOGIN),
    `%YAML 1.2\n---\n${made}tunnels: {}\n...\n`,
  );
  assert.equal(withSettings(made, LOGIN), made);
});

test('what cannot be changed alone is refused', () => {
  for (const text of [
    '{server: a, authtoken: b}',
    'server: |\n  a\n',
    'server: &it a\ntunnels: *it\n',
    'server: [a]\n',
    '  server: a\n',
    '--- {a: b}\n',
  ])
    assert.throws(() => withSettings(text, LOGIN), InvalidInput, text);
});
