/** Each cipher, MAC and key exchange on the wire: numbers of packets, changed keys, and bytes that the client did not seal. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { generateSigningKey, openSigningKey, type SigningKey, string, uint32 } from '../pki/ssh/index.ts';
import { ciphers, macs, needsMac, type Suite } from './cipher-suite.ts';
import { keyExchanges } from './key-agreement.ts';
import { Message } from './numbers.ts';
import { permissive, running, serve, type TestServer } from './openssh.fixture.ts';
import { RawClient } from './raw-client.fixture.ts';

let server: TestServer;
let key: SigningKey;
let messages = 0;

before(async () => {
  key = openSigningKey(await generateSigningKey({ type: 'ed25519' }));
  const count = (): null => {
    messages += 1;
    return null;
  };
  const forward = () => count();
  server = await serve(() => permissive({ ...running(count), forward }));
});
after(() => server.stop());

describe('under each cipher, MAC and key exchange', () => {
  const suites: readonly Suite[] = ciphers.flatMap((cipher) =>
    (needsMac(cipher) ? macs : [null]).map((mac) => ({ cipher, mac })),
  );
  for (const suite of suites) {
    const name = `${suite.cipher} ${suite.mac ?? ''}`;
    for (const isStrict of [true, false]) {
      it(`${name}: packets have the numbers of a client that is ${isStrict ? '' : 'not '}strict`, async () => {
        const client = await RawClient.authenticated(server.port, key, { ...suite, isStrict });
        const unknown = Buffer.of(15);
        const number = async (): Promise<number> => {
          client.send(unknown);
          return (await client.message(Message.unimplemented)).readUInt32BE(1);
        };
        const before = await number();
        assert.equal(await number(), before + 1);
        await client.exchange(true);
        // Three packets of the exchange came before, unless they begin anew.
        assert.equal(await number(), isStrict ? 0 : before + 5);
        await client.exchange(true);
        await client.openSession();
        client.socket.destroy();
      });
    }

    it(`${name}: bytes that it did not seal end the connection, and are not acted upon`, async () => {
      const lengths = [uint32(32), uint32(28), uint32(0), uint32(0xffff_ffff), uint32(35_000), uint32(33)];
      for (const length of lengths) {
        const client = await RawClient.authenticated(server.port, key, suite);
        messages = 0;
        client.socket.write(Buffer.concat([length, Buffer.alloc(40_000, 1)]));
        assert.equal(await client.closed(), 'a packet was changed on its way');
        assert.equal(messages, 0);
      }
    });
  }

  for (const keyExchange of keyExchanges) {
    it(`${keyExchange}: keys are agreed on, and changed by either side`, async () => {
      const client = await RawClient.authenticated(server.port, key, { keyExchange });
      await client.exchange(true);
      await client.openSession();
      client.socket.destroy();
    });

    it(`${keyExchange}: a public value that is none ends the connection`, async () => {
      for (const value of [
        Buffer.alloc(0),
        Buffer.alloc(32),
        Buffer.alloc(1216, 255),
        Buffer.alloc(30_000, 1),
      ]) {
        const client = await RawClient.connect(server.port, { keyExchange });
        client.socket.write('SSH-2.0-x\r\n');
        client.sendKexInit();
        client.send(Buffer.of(Message.kexEcdhInit), string(value));
        assert.match(await client.closed(), /public key of the key exchange is not valid/);
      }
    });
  }
});
