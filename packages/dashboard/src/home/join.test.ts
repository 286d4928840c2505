/** Tests of the commands that connect a machine. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MACHINES, stepsOf } from './join.ts';

const joining = { server: 'connect.example.com:443', ca_fingerprint: 'sha256:ab', own_authority: null };

test('a machine logs in with the fingerprint, and then serves the name', () => {
  for (const machine of ['Linux', 'macOS', 'Windows'] as const)
    assert.deepEqual(stepsOf(machine, joining, 'demo.example.com'), [
      'underpass login --server connect.example.com:443 --ca-fingerprint sha256:ab --authtoken -',
      'underpass http 3000 --domain demo.example.com',
    ]);
});

test('a container reads the token from its environment, and reaches the machine on Linux, too', () => {
  const [command = ''] = stepsOf('Docker', joining, 'demo.example.com');
  assert.match(command, / --env UNDERPASS_AUTHTOKEN .* host\.docker\.internal:3000 .* --domain demo/);
  assert.ok(command.includes('--add-host host.docker.internal:host-gateway'));
});

test('without an authority of its own the service has no fingerprint', () => {
  for (const machine of MACHINES) {
    const text = stepsOf(machine, { ...joining, ca_fingerprint: null }, '').join('\n');
    assert.ok(text.includes('connect.example.com:443'), text);
    assert.doesNotMatch(text, /ingerprint|domain/);
  }
});
