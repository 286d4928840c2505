/**
 * Work that one daemon does for all, seen by a server of others: a name server that counts questions.
 * Invariant: it is done once, and goes on after the daemon that did it was killed.
 */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { NameServer } from '../../packages/server/src/dns/name-server.fixture.ts';
import { eventually, Platform, Postgres, postgresMissing, shareMasterKey } from '../harness/index.ts';

shareMasterKey();

/** Twice the time of the lease for names. */
const TAKEOVER_MS = 90_000;

describe('names that two daemons could look at', { skip: postgresMissing }, () => {
  let server: Postgres;
  let names: NameServer;
  let first: Platform;
  let second: Platform;

  before(async () => {
    server = await Postgres.shared();
    names = await NameServer.start();
    const resolver = ['--require-domain-proof', '--dns-resolver', names.address];
    const args = ['--database', await server.database(), ...resolver];
    first = await Platform.start({ args });
    // It has the lease from its first name on.
    await reserve('held.example.com');
    await eventually(() => assert.ok(asked('held.example.com') > 0));
    second = await Platform.start({ args });
  });
  after(async () => {
    await Promise.all([first?.stop(), second?.stop()]);
    names?.close();
    await server?.stop();
  });

  const asked = (name: string) => names.asked.filter((question) => question.startsWith(`${name} `)).length;

  async function reserve(
    domain: string,
    { port, client }: Pick<Platform, 'port' | 'client'> = first,
  ): Promise<void> {
    const url = new URL('/reserved_domains', `https://api.underpass.localhost:${port}`);
    const headers = {
      authorization: `Bearer ${first.bootstrap.api_key}`,
      'service-version': '2',
      'content-type': 'application/json',
    };
    const body = JSON.stringify({ domain });
    const { status, text } = await client.request(url, { method: 'POST', headers, body });
    assert.equal(status, 201, text);
  }

  test('one looks at a name, whichever daemon it was reserved at', async () => {
    await reserve('at-first.example.com');
    await reserve('at-second.example.com', second);
    for (const name of ['at-first.example.com', 'at-second.example.com'])
      await eventually(() => assert.ok(asked(name) > 0));
    // The daemons look in turns of their own, and the next names come after those.
    for (const name of ['one.example.com', 'two.example.com', 'three.example.com']) {
      await reserve(name, second);
      await eventually(() => assert.ok(asked(name) > 0));
    }
    const questions = names.asked.filter((question) => question.startsWith('at-'));
    assert.equal(new Set(questions).size, questions.length, questions.join());
  });

  test('the other one goes on after it was killed', async () => {
    await first.killAndRestart(async () => {
      await reserve('orphan.example.com', second);
      await eventually(() => assert.ok(asked('orphan.example.com') > 0), TAKEOVER_MS);
    });
  });
});
