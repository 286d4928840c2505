import assert from 'node:assert/strict';
import { test } from 'node:test';
import { joinCommand, parseJoining } from './joining.ts';

const pin = `sha256:${'ab'.repeat(32)}`;

test('the command has the fingerprint where agents need one', () => {
  const server = 'connect.example.com:443';
  assert.equal(
    joinCommand({ server, ca_fingerprint: pin }),
    `underpass login --server ${server} --ca-fingerprint ${pin} --authtoken -`,
  );
  assert.equal(
    joinCommand({ server, ca_fingerprint: null }),
    `underpass login --server ${server} --authtoken -`,
  );
});

test('a file that no daemon wrote counts as none', () => {
  const facts = { server: 'a:1', ca_fingerprint: pin };
  assert.deepEqual(parseJoining(JSON.stringify(facts)), facts);
  assert.deepEqual(parseJoining('{"server":"a:1","ca_fingerprint":null}'), {
    server: 'a:1',
    ca_fingerprint: null,
  });
  for (const text of ['', 'null', '[]', '{}', '{"server":"a:1"}', '{"server":1,"ca_fingerprint":null}'])
    assert.equal(parseJoining(text), null, text);
  assert.equal(parseJoining('{"server":"a:1","ca_fingerprint":"sha256:; rm"}'), null);
});
