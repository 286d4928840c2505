/**
 * TLS session tickets of two daemons on one database.
 * Invariant: a site accepts no ticket of another one, or one from before a change of its policy.
 */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import {
  ClientCertificates,
  eventually,
  opensslMissing,
  Platform,
  Postgres,
  postgresMissing,
  sessionWith,
  shareMasterKey,
} from '../harness/index.ts';
import { fixedEdge } from './attacks.fixture.ts';

shareMasterKey();

const NAME = 'tickets.underpass.localhost';
const OTHER = 'others.underpass.localhost';
const VERSIONS = ['-tls1_2', '-tls1_3'] as const;

describe('session tickets of two daemons on one database', {
  skip: postgresMissing || opensslMissing,
}, () => {
  let postgres: Postgres;
  let platforms: readonly Platform[] = [];
  let owner: Platform;
  let edge: string;
  let directory: string;
  const certificates = new ClientCertificates();
  let count = 0;

  before(async () => {
    postgres = await Postgres.shared();
    const database = await postgres.database();
    const start = () => Platform.start({ args: ['--database', database] });
    platforms = await Promise.all([start(), start()]);
    owner = platforms.find(({ dataDir }) => existsSync(join(dataDir, 'bootstrap.json')))!;
    edge = (await fixedEdge(owner, 'tickets', 'text')).edgeId;
    await fixedEdge(owner, 'others', 'text');
    directory = mkdtempSync(join(tmpdir(), 'session-tickets-'));
  });
  after(async () => {
    await Promise.all(platforms.map((platform) => platform.stop()));
    await postgres.stop();
    rmSync(directory, { recursive: true });
    certificates.remove();
  });

  /** A file with the ticket that a daemon gives. */
  async function ticketOf(platform: Platform, options: readonly string[]): Promise<string> {
    count += 1;
    const file = join(directory, `${count}.pem`);
    await eventually(async () => {
      assert.equal(await sessionWith(platform, NAME, ['-sess_out', file, ...options]), 'new');
      assert.ok(existsSync(file), 'a ticket');
    });
    return file;
  }

  async function put(module: string, body: object): Promise<void> {
    const { status, text } = await owner.api('PUT', `/edges/tls/${edge}/${module}`, body);
    assert.equal(status, 200, text);
  }

  test('a ticket is good for a day, and allows no data before the handshake is done', async () => {
    const file = await ticketOf(owner, ['-tls1_3']);
    const session = execFileSync('openssl', ['sess_id', '-in', file, '-noout', '-text'], {
      encoding: 'utf8',
    });
    assert.match(session, /Max Early Data: 0\n/);
    assert.match(session, /lifetime hint: 86400 /);
  });

  for (const version of VERSIONS) {
    test(`${version}: each daemon resumes what the other one began, for the same site`, async () => {
      const [first, second] = platforms as [Platform, Platform];
      for (const [from, to] of [
        [first, second],
        [second, first],
      ] as const) {
        const file = await ticketOf(from, [version]);
        // The other daemon follows the change.
        await eventually(async () =>
          assert.equal(await sessionWith(to, NAME, ['-sess_in', file, version]), 'reused'),
        );
        assert.equal(await sessionWith(to, OTHER, ['-sess_in', file, version]), 'new');
      }
    });

    test(`${version}: a ticket from before a change of the policy is worth nothing on either`, async () => {
      const file = await ticketOf(owner, [version]);
      await put('tls_termination', { terminate_at: 'edge', min_version: '1.1' });
      for (const platform of platforms) {
        // The other daemon follows.
        await eventually(async () =>
          assert.equal(await sessionWith(platform, NAME, ['-sess_in', file, version]), 'new'),
        );
      }
      await put('tls_termination', { terminate_at: 'edge', min_version: null });
    });

    test(`${version}: where certificates are asked for no session goes on, and none from before`, async () => {
      const file = await ticketOf(owner, [version]);
      const root = certificates.authority('Root');
      const ca = await owner.api('POST', '/certificate_authorities', { ca_pem: root.pem });
      const mine = certificates.make('ada', root);
      await put('mutual_tls', { certificate_authority_ids: [ca.json.id] });
      const shown = ['-cert', mine.pemFile, '-key', mine.keyFile, version];
      assert.equal(await sessionWith(owner, NAME, ['-sess_in', file, ...shown]), 'new');
      // TLS 1.2 has sessions without tickets, too.
      const next = join(directory, `with-certificate${version}.pem`);
      assert.equal(await sessionWith(owner, NAME, ['-sess_out', next, ...shown]), 'new');
      const shownAgain = existsSync(next) ? ['-sess_in', next, ...shown] : shown;
      assert.equal(await sessionWith(owner, NAME, shownAgain), 'new');
      assert.equal((await owner.api('DELETE', `/edges/tls/${edge}/mutual_tls`)).status, 204);
    });
  }
});
