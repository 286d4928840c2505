/** Choices that both sides have to make alike. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { boolean, string, uint32 } from '../pki/ssh/index.ts';
import { type Cipher, ciphers, macs } from './cipher-suite.ts';
import { keyExchanges } from './key-agreement.ts';
import { encodeKexInit, negotiate } from './negotiation.ts';

const hostKeys = ['ssh-ed25519', 'ecdsa-sha2-nistp256'];
const best = keyExchanges[0] ?? '';

interface Offer {
  readonly methods?: readonly string[];
  readonly keys?: readonly string[];
  readonly ciphers?: readonly string[];
  readonly macs?: readonly string[];
  readonly follows?: boolean;
}

function offer({ methods = [best], keys = hostKeys, follows = false, ...names }: Offer) {
  const { ciphers: both = ciphers, macs: integrity = macs } = names;
  const lists = [methods, keys, both, both, integrity, integrity, ['none'], ['none'], [], []];
  const written = lists.map((list) => string(list.join(',')));
  return negotiate(Buffer.concat([Buffer.alloc(17), ...written, boolean(follows), uint32(0)]), hostKeys);
}

test('the first name of the client that the server has is chosen, whatever the server prefers', () => {
  const chosen = offer({ methods: ['other', 'ecdh-sha2-nistp256', best], keys: [...hostKeys].reverse() });
  assert.equal(chosen.keyExchange, 'ecdh-sha2-nistp256');
  assert.equal(chosen.hostKey, 'ecdsa-sha2-nistp256');
});

test('a MAC is chosen for a cipher that needs one, and for no other', () => {
  const suite = (cipher: Cipher, integrity: readonly string[]) =>
    offer({ ciphers: [cipher], macs: integrity }).toServer;
  assert.deepEqual(suite('aes128-ctr', ['hmac-sha1', 'hmac-sha2-256']), {
    cipher: 'aes128-ctr',
    mac: 'hmac-sha2-256',
  });
  assert.deepEqual(suite('aes128-gcm@openssh.com', ['hmac-sha1']), {
    cipher: 'aes128-gcm@openssh.com',
    mac: null,
  });
  assert.throws(() => suite('aes256-ctr', ['hmac-sha1', 'none']), /no MAC that this server takes/);
});

test('a guess holds only if both sides prefer the same methods', () => {
  const guess = (methods: readonly string[], keys = hostKeys) => offer({ methods, keys, follows: true });
  assert.equal(guess([best]).skipsNext, false);
  // It was chosen, and all the same the client sends its value again.
  assert.equal(guess(['ecdh-sha2-nistp256']).skipsNext, true);
  assert.equal(guess([best], [...hostKeys].reverse()).skipsNext, true);
  assert.equal(offer({ methods: ['ecdh-sha2-nistp256'] }).skipsNext, false);
});

test('the server names its strongest algorithms first, and none that it cannot do', () => {
  const text = encodeKexInit(hostKeys).toString('latin1');
  for (const names of [[...keyExchanges, 'kex-strict-s-v00@openssh.com'], hostKeys, ciphers, macs])
    assert.ok(text.includes(names.join(',')), names.join(','));
  assert.doesNotMatch(text, /cbc|sha1|md5|arcfour|ssh-rsa|ssh-dss/);
});
