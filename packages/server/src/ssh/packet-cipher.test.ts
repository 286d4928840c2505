/** Packets under each cipher and MAC: what was sealed is read, and nothing that was changed, dropped or repeated. */
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { describe, test } from 'node:test';
import { ciphers, macs, makeCipher, needsMac, type Suite } from './cipher-suite.ts';
import type { ExchangeSecrets } from './key-exchange.ts';
import { clearText, type PacketCipher } from './packet-cipher.ts';
import { PacketReader } from './packet-reader.ts';
import { SshError } from './ssh-error.ts';

const secrets: ExchangeSecrets = {
  method: 'curve25519-sha256',
  ...{ secret: randomBytes(36), hash: randomBytes(32), sessionId: randomBytes(32) },
};
const suites: readonly Suite[] = ciphers.flatMap((cipher) =>
  (needsMac(cipher) ? macs : [null]).map((mac) => ({ cipher, mac })),
);
const last = 0xffff_ffff;

/** A packet with a payload of `size` bytes, and a length field that may be wrong. */
function frame(cipher: PacketCipher, size: number, claimed?: number): Buffer {
  const counted = 1 + size + (cipher.padsLength ? 4 : 0);
  const padding = 4 + ((2 * cipher.blockBytes - ((counted + 4) % cipher.blockBytes)) % cipher.blockBytes);
  const bytes = Buffer.alloc(4 + 1 + size + padding, size);
  bytes.writeUInt32BE(claimed ?? 1 + size + padding);
  bytes[4] = padding;
  return bytes;
}

/** Packets with payloads of these sizes, numbered from `sequence` on. */
function sealAll(suite: Suite, sizes: readonly number[], sequence = 0): readonly Buffer[] {
  const cipher = makeCipher(suite, secrets, 'toServer');
  return sizes.map((size, at) => Buffer.concat(cipher.seal((sequence + at) >>> 0, frame(cipher, size))));
}

function reader(suite: Suite, sequence = 0) {
  const sizes: number[] = [];
  const packets = new PacketReader((payload) => {
    assert.ok(payload.every((byte) => byte === payload.length % 256));
    sizes.push(payload.length);
  });
  packets.use(makeCipher(suite, secrets, 'toServer'), sequence);
  return { packets, sizes };
}

function assertRejected(suite: Suite, bytes: Buffer, what: string): void {
  const { packets, sizes } = reader(suite);
  assert.throws(
    () => packets.read(bytes),
    { name: 'SshError', message: 'a packet was changed on its way' },
    what,
  );
  assert.deepEqual(sizes, [], what);
}

for (const suite of suites) {
  describe(`${suite.cipher} ${suite.mac ?? ''}`, () => {
    test('packets are read in whatever pieces they come, also while their numbers start over', () => {
      const sizes = [1, 2, 11, 12, 13, 255, 32_768, 5];
      const sealed = Buffer.concat(sealAll(suite, sizes, last - 2));
      for (const step of [1, 5, 16, 17, 4096, sealed.length]) {
        const read = reader(suite, last - 2);
        for (let at = 0; at < sealed.length; at += step) read.packets.read(sealed.subarray(at, at + step));
        assert.deepEqual(read.sizes, sizes, `${step} bytes at once`);
        assert.equal(read.packets.sequence, sizes.length - 3);
      }
    });

    test('a change of any bit is noticed', () => {
      const [sealed] = sealAll(suite, [20]);
      assert.ok(sealed !== undefined);
      // More follows, so that a longer length has something to be read from.
      const rest = Buffer.alloc(70_000);
      for (let bit = 0; bit < sealed.length * 8; bit++) {
        const changed = Buffer.concat([sealed, rest]);
        changed[bit >> 3]! ^= 1 << (bit & 7);
        assertRejected(suite, changed, `bit ${bit}`);
      }
    });

    test('a packet that is missing, repeated or out of order is noticed', () => {
      const [first, second] = sealAll(suite, [20, 20]);
      assert.ok(first !== undefined && second !== undefined);
      const filler = Buffer.alloc(70_000);
      assertRejected(suite, Buffer.concat([second, first, filler]), 'the first one is missing');
      const { packets, sizes } = reader(suite);
      packets.read(first);
      assert.throws(() => packets.read(Buffer.concat([first, filler])), SshError);
      assert.deepEqual(sizes, [20]);
    });

    test('a shortened packet is not delivered', () => {
      const [sealed] = sealAll(suite, [100]);
      const { packets, sizes } = reader(suite);
      packets.read(sealed!.subarray(0, -1));
      assert.deepEqual(sizes, []);
    });

    test('a length that is not allowed is rejected as soon as it can be read', () => {
      for (const claimed of [0, 1, 7, 8 + 1, 35_001, 40_000, 0x7fff_ffff, last]) {
        const cipher = makeCipher(suite, secrets, 'toServer');
        const sealed = Buffer.concat(cipher.seal(0, frame(cipher, 20, claimed)));
        assertRejected(suite, sealed.subarray(0, cipher.headBytes), `length ${claimed}`);
      }
    });

    test('a number or a key of another packet opens nothing', () => {
      const [sealed] = sealAll(suite, [20], 7);
      const filler = Buffer.alloc(70_000);
      // The nonce of GCM is counted apart from the numbers of packets.
      if (!suite.cipher.includes('gcm')) assertRejected(suite, Buffer.concat([sealed!, filler]), 'number 7');
      const { packets } = reader(suite);
      packets.use(makeCipher(suite, secrets, 'toClient'), 7);
      assert.throws(() => packets.read(Buffer.concat([sealed!, filler])), SshError);
    });
  });
}

test('no key is used for more packets than there are numbers', () => {
  const suite: Suite = { cipher: 'aes128-ctr', mac: 'hmac-sha2-256' };
  const packets = new PacketReader(() => {}, 3);
  for (let round = 0; round < 2; round++) {
    packets.use(makeCipher(suite, secrets, 'toServer'), 0);
    const sealed = sealAll(suite, [1, 1, 1, 1]);
    for (const packet of sealed.slice(0, 3)) packets.read(packet);
    if (round === 1) assert.throws(() => packets.read(sealed[3]!), /too many packets/);
  }
});

test('a clear packet whose length is not a multiple of the block is rejected', () => {
  const packets = new PacketReader(() => {});
  packets.read(frame(clearText, 10));
  assert.throws(() => packets.read(frame(clearText, 10, 13)), /a length that is not allowed/);
});
