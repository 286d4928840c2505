/**
 * Sites with client certificates.
 * Invariant: a visitor is served only with a certificate of a listed authority.
 */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { after, before, test } from 'node:test';
import { connect } from 'node:tls';
import {
  ClientCertificates,
  type CurlResult,
  closing,
  curl,
  curlMissing,
  type Identity,
  opensslMissing,
  Platform,
  startUpstream,
  type Upstream,
  Visitor,
} from '../harness/index.ts';
import { fixedEdge, httpsEdge } from './attacks.fixture.ts';

let platform: Platform;
let upstream: Upstream;
let made: ClientCertificates;
let root: Identity;
let good: Identity;
/** Ids of `root` and of another authority. */
let listed: string;
let other: string;
/** Id of an HTTPS edge with the name `app`. */
let edge: string;

before(async () => {
  platform = await Platform.shared();
  made = new ClientCertificates();
  root = made.authority('Root');
  const names = 'subjectAltName=DNS:dev.example,DNS:two.example,email:ada@example.com';
  good = made.make('ada', root, { subject: '/O=Example/CN=Ada, Müller', extensions: [names] });
  upstream = await startUpstream((request, response) => {
    const said = Object.entries(request.headers).filter(([name]) => name.startsWith('underpass'));
    response.end(JSON.stringify(Object.fromEntries(said)));
  });
  const group = await create('/backends/tunnel_group', { labels: { app: 'mtls' } });
  await platform.agent(['http', String(upstream.port), '--label', 'app=mtls']);
  edge = await httpsEdge(platform, 'app', group);
  listed = await create('/certificate_authorities', { ca_pem: root.pem });
  other = await create('/certificate_authorities', { ca_pem: made.authority('Other').pem });
});
after(async () => {
  made.remove();
  await platform.stop();
  await upstream.stop();
});

async function create(path: string, body: object): Promise<string> {
  const { status, text, json } = await platform.api('POST', path, body);
  assert.equal(status, 201, text);
  return json.id;
}

async function ask(path: string, ...ids: readonly string[]): Promise<void> {
  const { status, text } = await platform.api('PUT', `${path}/mutual_tls`, {
    certificate_authority_ids: ids,
  });
  assert.equal(status, 200, text);
}

function visit(label: string, shown: Identity | null, ...more: readonly string[]): Promise<CurlResult> {
  const mine = shown === null ? [] : ['--cert', shown.pemFile, '--key', shown.keyFile];
  return curl(platform, [...mine, ...more, `https://${label}.underpass.localhost:${platform.port}/`]);
}

async function refused(label: string, shown: Identity | null): Promise<string> {
  const { exitCode, stdout, stderr } = await visit(label, shown, '--http1.1');
  assert.notEqual(exitCode, 0);
  assert.equal(stdout, '');
  return stderr;
}

test('upstreams of an HTTPS edge are told whose certificate it was, in the words of the certificate alone', {
  skip: curlMissing,
}, async () => {
  await ask(edge, listed);
  const { stdout } = await visit(
    'app',
    good,
    '-H',
    'Underpass-Mtls-Subject-Cn: root',
    '-H',
    'underpass_mtls_serial_number: 1',
  );
  const { 'underpass-mtls-serial-number': serial, ...said } = JSON.parse(stdout);
  assert.deepEqual(said, {
    'underpass-mtls-subject-cn': Buffer.from('Ada, Müller').toString('latin1'),
    'underpass-mtls-subject-alt-name-dns': 'dev.example,two.example',
    'underpass-mtls-email-addresses': 'ada@example.com',
  });
  assert.match(serial, /^ab[0-9a-f]+$/);
  assert.match(await refused('app', null), /alert/);
  await refused('app', made.make('ada'));
});

test('a connection ends when its site begins to ask, or asks for others', { skip: curlMissing }, async () => {
  assert.equal((await platform.api('DELETE', `${edge}/mutual_tls`)).status, 204);
  const servername = 'app.underpass.localhost';
  const { port, ca } = platform;
  const before = await Visitor.connect({ port, ca, servername });
  assert.equal((await before.get()).status, 200);
  await ask(edge, listed);
  await assert.rejects(before.get());
  const options = { port, ca, servername, host: '127.0.0.1', cert: good.pem, key: good.key };
  const proven = connect(options);
  await once(proven, 'secureConnect');
  proven.resume();
  await ask(edge, listed);
  proven.write(`GET / HTTP/1.1\r\nHost: ${servername}\r\n\r\n`);
  await once(proven, 'data');
  const closed = closing(proven);
  await ask(edge, other);
  await closed;
  await refused('app', good);
});

test('an edge whose answer is fixed asks, and so does what agents bind', { skip: curlMissing }, async () => {
  const { edgeId } = await fixedEdge(platform, 'fixed', 'this is fixed');
  await ask(`/edges/tls/${edgeId}`, listed);
  assert.equal((await visit('fixed', good)).stdout, 'this is fixed');
  await refused('fixed', null);
  await ask(`/edges/tls/${edgeId}`);
  await refused('fixed', good);

  const configuration = await create('/endpoint_configurations', {
    type: 'https',
    mutual_tls: { certificate_authority_ids: [listed] },
  });
  const domain = await create('/reserved_domains', { name: 'bound.underpass.localhost' });
  const attached = { https_endpoint_configuration_id: configuration };
  assert.equal((await platform.api('PATCH', `/reserved_domains/${domain}`, attached)).status, 200);
  await platform.agent(['http', String(upstream.port), '--domain', 'bound.underpass.localhost']);
  assert.match((await visit('bound', good)).stdout, /two\.example/);
  await refused('bound', null);
});

/** Returns openssl's output for a connection; with a file it stores its session there, or resumes it. */
function handshake(session: readonly string[]): Promise<string> {
  const mine = ['-cert', good.pemFile, '-key', good.keyFile];
  const name = 'fixed.underpass.localhost';
  const target = ['-connect', `127.0.0.1:${platform.port}`, '-servername', name];
  return new Promise((resolve) => {
    const client = execFile('openssl', ['s_client', ...target, ...mine, ...session], (_error, stdout) =>
      resolve(stdout),
    );
    client.stdin?.on('error', () => {}).end(`GET / HTTP/1.1\r\nHost: ${name}\r\nConnection: close\r\n\r\n`);
  });
}

test('a ticket from before stands for no certificate, nor does one of a connection with one', {
  skip: opensslMissing,
}, async () => {
  const { json } = await platform.api('GET', '/edges/tls');
  const path = `/edges/tls/${json.tls_edges[0].id}`;
  assert.equal((await platform.api('DELETE', `${path}/mutual_tls`)).status, 204);
  const file = good.keyFile.replace('.key', '.session');
  for (const version of ['-tls1_2', '-tls1_3']) {
    const out = [version, '-ign_eof', '-sess_out', file];
    const again = [version, '-ign_eof', '-sess_in', file];
    await handshake(out);
    assert.match(await handshake(again), /^Reused, TLS/m);
    await ask(path, listed);
    assert.match(await handshake(again), /^New, TLS.*this is fixed/ms);
    await handshake(out);
    assert.match(await handshake(again), /^New, TLS.*this is fixed/ms);
    assert.equal((await platform.api('DELETE', `${path}/mutual_tls`)).status, 204);
  }
});
