/**
 * Certificates that the daemon gets from pebble.
 * Invariant: it gets none for a name without a request, or one that does not lead here.
 */
import assert from 'node:assert/strict';
import { X509Certificate } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { connect } from 'node:tls';
import { fileURLToPath } from 'node:url';
import { fingerprintOf } from '../../packages/client/src/fingerprint.ts';
import { readShownChain } from '../../packages/client/src/shown-chain.ts';
import { ask, NameServer } from '../../packages/server/src/dns/name-server.fixture.ts';
import {
  type Answer,
  curl,
  curlMissing,
  eventually,
  freePorts,
  inTime,
  Pebble,
  Platform,
  Process,
  pebbleMissing,
  timeoutMs,
  underpassd,
  Visitor,
} from '../harness/index.ts';
import { addAccount } from './attacks.fixture.ts';

const AGENT = fileURLToPath(import.meta.resolve('../../packages/agent/bin/underpass.js'));

interface Job {
  readonly error_code: string | null;
  readonly msg: string;
  readonly started_at: string;
  readonly retries_at: string | null;
}

interface Domain {
  readonly id: string;
  readonly cname_target: string;
  readonly certificate: { readonly id: string } | null;
  readonly certificate_management_policy: object | null;
  readonly certificate_management_status: {
    readonly renews_at: string | null;
    readonly provisioning_job: Job | null;
  };
}

describe('certificates from pebble', { skip: pebbleMissing }, () => {
  let platform: Platform;
  let pebble: Pebble;
  let httpPort: number;
  const directory = mkdtempSync(join(tmpdir(), 'underpass-pebble-names-'));
  const API = 'manage.example.net';

  before(async () => {
    const [free = 0, port = 0] = await freePorts(2);
    httpPort = free;
    // Pebble refuses one nonce in twenty. Five attempts always succeed.
    pebble = await Pebble.prepare({
      env: { PEBBLE_WFE_NONCEREJECT: '5' },
      blocked: ['blocked.example.com'],
    });
    const args = ['--http-listen', `127.0.0.1:${httpPort}`, '--dns-resolver', pebble.dns];
    await pebble.start({ tlsPort: port, httpPort });
    const authorities = join(directory, 'authorities.pem');
    writeFileSync(authorities, pebble.authority + (await pebble.root()));
    const acme = ['--acme-directory', pebble.directory, '--acme-ca', authorities];
    const hosts = ['--console-host', 'console.example.net', '--base-url', `https://${API}:${port}`];
    platform = await Platform.start({ args: [...acme, ...args, ...hosts], port });
    // The API is called with the authorities of `ca.pem`.
    await eventually(async () => {
      const at = { port, servername: API, ca: platform.ca };
      const visitor = await Visitor.connect(at);
      const { certifiedBy } = visitor;
      visitor.close();
      assert.match(certifiedBy, /^Pebble/i);
    });
  });
  after(async () => {
    await platform?.stop();
    await pebble?.stop();
    rmSync(directory, { recursive: true });
  });

  async function call(method: string, path: string, body?: object): Promise<Domain> {
    const { status, json } = await platform.api(method, path, body);
    assert.ok(status < 300, JSON.stringify(json));
    return json;
  }
  const read = (id: string) => call('GET', `/reserved_domains/${id}`);
  const reserve = (domain: string, private_key_type = 'ecdsa') =>
    call('POST', '/reserved_domains', {
      domain,
      certificate_management_policy: { authority: 'public_ca', private_key_type },
    });
  async function issued(id: string): Promise<string> {
    let certificate: Domain['certificate'] = null;
    await eventually(async () => {
      const now = await read(id);
      certificate = now.certificate;
      assert.ok(certificate, JSON.stringify(now.certificate_management_status));
    });
    return certificate!.id;
  }
  async function failing(id: string): Promise<Job> {
    let job: Job | null = null;
    await eventually(async () => {
      job = (await read(id)).certificate_management_status.provisioning_job;
      assert.ok(job?.error_code);
    });
    return job!;
  }
  async function refused(method: string, path: string, body?: object): Promise<string> {
    const { status, json } = await platform.api(method, path, body);
    return `${status} ${json.error_code}`;
  }

  test('the console and the API at hosts of their own get one each, and other names keep the local authority', async () => {
    const ca = await pebble.root();
    const at = { port: platform.port, servername: 'console.example.net' };
    await eventually(async () => (await Visitor.connect({ ...at, ca })).close());
    (await Visitor.connect({ ...at, servername: API, ca })).close();
    const local = new X509Certificate(platform.ca).toString();
    for (const servername of ['api.underpass.localhost', 'connect.underpass.localhost'])
      (await Visitor.connect({ ...at, servername, ca: local })).close();
    const joining = await platform.visit(`https://${API}:${platform.port}/join.json`);
    assert.equal(joining.json.own_authority, null, 'browsers at the API need no other authority');
    const metrics = await (await fetch(`http://127.0.0.1:${platform.adminPort}/metrics`)).text();
    for (const name of [API, at.servername]) assert.ok(metrics.includes(`certificate="${name}"`), name);
    const { json } = await underpassd(['ca', 'fingerprint', '--json', '--data-dir', platform.dataDir]);
    assert.equal(json.ca_fingerprint, fingerprintOf(new X509Certificate(platform.ca)), 'for agents');
  });

  test('a domain with a policy gets a certificate that visitors trust, and keeps it when the policy goes', async () => {
    const { id, certificate, certificate_management_status: status } = await reserve('shop.example.com');
    assert.equal(certificate, null);
    assert.equal(status.provisioning_job?.error_code, null);
    assert.match(status.provisioning_job?.started_at ?? '', /Z$/);
    const certificateId = await issued(id);
    const after = (await read(id)).certificate_management_status;
    assert.equal(after.provisioning_job, null);
    assert.ok(Date.parse(after.renews_at ?? '') > Date.now());
    const visitor = await Visitor.connect({
      ...{ port: platform.port, servername: 'shop.example.com', ca: await pebble.root() },
    });
    assert.equal((await visitor.get()).status, 404, 'nothing serves it yet');
    visitor.close();

    const path = `/reserved_domains/${id}`;
    const { json } = await platform.api('GET', `/tls_certificates/${certificateId}`);
    assert.equal(json.private_key_type, 'ecdsa');
    assert.match(String(json.issued_at), /Z$/);
    assert.equal(await refused('DELETE', `${path}/certificate`), '400 ERR_SERVICE_436');
    assert.equal(await refused('PATCH', path, { certificate_id: '' }), '400 ERR_SERVICE_436');
    assert.equal(await refused('DELETE', `/tls_certificates/${certificateId}`), '400 ERR_SERVICE_1966');
    await platform.api('DELETE', `${path}/certificate_management_policy`);
    const without = await read(id);
    assert.equal(without.certificate?.id, certificateId);
    assert.deepEqual(
      [without.certificate_management_policy, without.certificate_management_status],
      [null, null],
    );
    await platform.api('DELETE', `${path}/certificate`);
    assert.equal((await platform.api('DELETE', `/tls_certificates/${certificateId}`)).status, 204);
  });

  test('another type of key brings another certificate, and the one before is served until then and then gone', async () => {
    const { id } = await reserve('keys.example.com', 'rsa');
    const first = await issued(id);
    const body = { certificate_management_policy: { private_key_type: 'ecdsa' } };
    assert.equal((await call('PATCH', `/reserved_domains/${id}`, body)).certificate?.id, first);
    await eventually(async () => assert.notEqual((await read(id)).certificate?.id, first));
    await eventually(async () => {
      assert.equal((await platform.api('GET', `/tls_certificates/${first}`)).status, 404);
    });
    const { json } = await platform.api('GET', `/tls_certificates/${await issued(id)}`);
    assert.equal(json.private_key_type, 'ecdsa');
  });

  test('a name that leads elsewhere is told what its record should be, and asked for at once when it was mended', async () => {
    const host = 'moved.example.com';
    await pebble.setDns('add-a', { host, addresses: ['192.0.2.1'] });
    const { id, cname_target } = await reserve(host);
    const job = await failing(id);
    assert.equal(job.error_code, 'DNS_ERROR');
    assert.match(job.msg, /192\.0\.2\.1/);
    assert.ok(job.msg.includes(cname_target), job.msg);
    assert.ok(Date.parse(job.retries_at ?? '') > Date.now());
    assert.ok(!pebble.lines.some((line) => line.includes(host)), 'the authority was not asked');
    await pebble.setDns('clear-a', { host });
    const again = { certificate_management_policy: { private_key_type: 'ecdsa' } };
    await call('PATCH', `/reserved_domains/${id}`, again);
    await issued(id);
  });

  test('an authority that finds something else at the name leaves a reason and a time, and nothing of the proof', async () => {
    const host = 'wrong.example.com';
    const { id, cname_target } = await call('POST', '/reserved_domains', { domain: host });
    // Both lead to the same address without a listener.
    for (const each of [host, cname_target])
      await pebble.setDns('add-a', { host: each, addresses: ['127.0.0.9'] });
    await call('PATCH', `/reserved_domains/${id}`, {
      certificate_management_policy: { private_key_type: 'rsa' },
    });
    const job = await failing(id);
    assert.equal(job.error_code, 'INTERNAL_ERROR');
    assert.match(job.msg, /wrong\.example\.com was not proven by tls-alpn-01/);
    assert.ok(Date.parse(job.retries_at ?? '') > Date.now());
    await assert.rejects(validate(host));
    await platform.api('DELETE', `/reserved_domains/${id}`);
  });

  test('an order that the authority refuses is a reason, too', async () => {
    const { id } = await reserve('blocked.example.com');
    const job = await failing(id);
    assert.equal(job.error_code, 'INTERNAL_ERROR');
    assert.match(job.msg, /blocked/);
  });

  test('an authority that is away, and then has forgotten the account, delays only what it is asked for', async () => {
    await pebble.interrupt();
    const { id } = await reserve('away.example.com');
    const job = await failing(id);
    assert.equal(job.error_code, 'INTERNAL_ERROR');
    assert.match(job.msg, /cannot be used/);
    assert.equal((await platform.api('GET', '/reserved_domains')).status, 200);
    await pebble.start({ tlsPort: platform.port, httpPort });
    await issued((await reserve('back.example.com')).id);
  });

  test('who looks for the proof of a name that is not asked for finds what the name always is', {
    skip: curlMissing,
  }, async () => {
    await reserve('plain.example.com').then(({ id }) => issued(id));
    await assert.rejects(validate('plain.example.com'));
    await assert.rejects(validate('nobody.example.com'));
    const path = '/.well-known/acme-challenge/token';
    const foreign = await curl(platform, [
      '-H',
      'Host: nobody.example.com',
      `http://127.0.0.1:${httpPort}${path}`,
    ]);
    assert.match(foreign.stdout, /404/);
    const own = await curl(platform, [
      '-H',
      'Host: plain.example.com',
      `http://127.0.0.1:${httpPort}${path}`,
    ]);
    assert.match(own.stdout, /HTTPS only/);
  });

  /** Validates a name by tls-alpn-01, as an authority does. */
  async function validate(servername: string): Promise<X509Certificate> {
    const socket = connect({
      ...{ port: platform.port, host: '127.0.0.1', servername, ALPNProtocols: ['acme-tls/1'] },
      rejectUnauthorized: false,
    });
    return inTime(
      new Promise<X509Certificate>((resolve, reject) => {
        socket.once('error', reject).once('secureConnect', () => {
          resolve(new X509Certificate(socket.getPeerCertificate().raw));
          socket.destroy();
        });
      }),
      () => 'a handshake',
    );
  }
});

describe('certificates of wildcards', { skip: pebbleMissing }, () => {
  let names: NameServer;
  let dns: number;
  let platform: Platform;
  let pebble: Pebble;

  before(async () => {
    [dns = 0] = await freePorts(1);
    names = await NameServer.start();
    pebble = await Pebble.prepare({ dns: names.address });
    const zone = ['--dns-listen', `127.0.0.1:${dns}`, '--dns-resolver', names.address];
    const args = [...zone, '--acme-orders-per-hour', '1'];
    platform = await Platform.start({ args: [...pebble.args, ...args] });
    // As the operator does: the zone is the daemon's.
    names.delegate('acme.underpass.localhost', dns);
    await pebble.start({ tlsPort: platform.port });
  });
  after(async () => {
    await platform?.stop();
    await pebble?.stop();
    names?.close();
  });

  test('a wildcard says which alias it wants, and gets a certificate when there is one', async () => {
    const body = {
      domain: '*.wild.example.com',
      certificate_management_policy: { private_key_type: 'ecdsa' },
    };
    const reserved = await platform.api('POST', '/reserved_domains', body);
    assert.equal(reserved.status, 201, JSON.stringify(reserved.json));
    const path = `/reserved_domains/${reserved.json.id}`;
    const target = String(reserved.json.acme_challenge_cname_target);
    const status = async () =>
      (await platform.api('GET', path)).json
        .certificate_management_status as Domain['certificate_management_status'];
    await eventually(async () => {
      const { provisioning_job: job } = await status();
      assert.equal(job?.error_code, 'DNS_ERROR');
      assert.ok(job.msg.includes('_acme-challenge.wild.example.com') && job.msg.includes(target), job.msg);
    });
    names.set('_acme-challenge.wild.example.com', 'CNAME', target);
    await platform.api('PATCH', path, { certificate_management_policy: { private_key_type: 'ecdsa' } });
    await eventually(async () => {
      const now = await status();
      assert.equal(now.provisioning_job, null, JSON.stringify(now));
    });
    const visitor = await Visitor.connect({
      ...{ port: platform.port, servername: 'any.wild.example.com', ca: await pebble.root() },
    });
    visitor.close();
    assert.deepEqual((await ask(dns, { name: target, type: 'TXT' })).answers, []);
  });

  /** Reserves a wildcard with the given key, and proves it at once. */
  async function reserve(domain: string, key: string): Promise<() => Promise<Answer['json']>> {
    const headers = { authorization: `Bearer ${key}` };
    const { json } = await platform.api('POST', '/reserved_domains', { domain }, headers);
    const path = `/reserved_domains/${json.id}`;
    names.set(`_acme-challenge.${domain.slice(2)}`, 'CNAME', String(json.acme_challenge_cname_target));
    const body = { certificate_management_policy: { private_key_type: 'ecdsa' } };
    assert.equal((await platform.api('PATCH', path, body, headers)).status, 200);
    return async () => (await platform.api('GET', path, undefined, headers)).json;
  }

  test('an account that has had its share is told until when it waits, and another one does not wait', async () => {
    const own = platform.bootstrap.api_key;
    const [one, other] = [await reserve('*.one.example.com', own), await reserve('*.other.example.com', own)];
    await eventually(async () => {
      const jobs = [await one(), await other()].map(
        (domain) => domain.certificate_management_status.provisioning_job,
      );
      const limited = jobs.find((job) => job?.msg.includes('1 certificates within one hour'));
      assert.equal(limited?.error_code, 'INTERNAL_ERROR', JSON.stringify(jobs));
      assert.ok(Date.parse(limited.retries_at) > Date.now() + 50 * 60_000);
    });
    const theirs = await reserve('*.theirs.example.com', (await addAccount(platform)).api_key);
    await eventually(async () => assert.ok((await theirs()).certificate));
  });
});

describe('the certificates of the service itself', { skip: pebbleMissing }, () => {
  const directory = mkdtempSync(join(tmpdir(), 'underpass-service-names-'));
  const rootFile = join(directory, 'root.pem');
  const CONSOLE = 'console.example.net';
  let names: NameServer;
  let platform: Platform;
  let pebble: Pebble;

  before(async () => {
    const [dns = 0, port = 0] = await freePorts(2);
    names = await NameServer.start();
    names.delegate('acme.underpass.localhost', dns);
    names.set('_acme-challenge.underpass.localhost', 'CNAME', 'service.acme.underpass.localhost');
    for (const name of [CONSOLE, 'connect.underpass.localhost']) names.set(name, 'A', '127.0.0.1');
    pebble = await Pebble.prepare({ dns: names.address });
    await pebble.start({ tlsPort: port });
    writeFileSync(rootFile, await pebble.root());
    const authorities = join(directory, 'authorities.pem');
    writeFileSync(authorities, pebble.authority + (await pebble.root()));
    const args = [
      ...['--acme-directory', pebble.directory, '--acme-ca', authorities, '--acme-service-names'],
      ...['--dns-listen', `127.0.0.1:${dns}`, '--dns-resolver', names.address],
      // The service's own names wait for no share.
      ...['--console-host', CONSOLE, '--acme-orders-per-hour', '1'],
    ];
    platform = await Platform.start({ args, port });
  });
  after(async () => {
    await platform?.stop();
    await pebble?.stop();
    names?.close();
    rmSync(directory, { recursive: true });
  });

  const trusted = (label: string) => trustedAt(`${label}underpass.localhost`);
  async function trustedAt(servername: string): Promise<void> {
    const ca = await pebble.root();
    (await Visitor.connect({ port: platform.port, servername, ca })).close();
  }

  test('are one for all names right below the shared domain and one for the console, kept over a restart', async () => {
    for (const label of ['api.', 'connect.', 'any.']) await eventually(() => trusted(label));
    await eventually(() => trustedAt(CONSOLE));
    const orders = () => pebble.lines.filter((line) => /orders in the db/.test(line)).length;
    const made = orders();
    await platform.restart();
    await trusted('api.');
    await trustedAt(CONSOLE);
    assert.equal(orders(), made, 'nothing was asked for again');
    const metrics = await (await fetch(`http://127.0.0.1:${platform.adminPort}/metrics`)).text();
    assert.match(metrics, /certificate="\*\.underpass\.localhost"/);
    assert.ok(metrics.includes(`certificate="${CONSOLE}"`), 'its expiry is watched');
  });

  test('ca.pem has the root that --acme-ca knows, also after a restart, and leads an agent in', async () => {
    await eventually(() => trusted('connect.'));
    const known = () => platform.ca.includes(new X509Certificate(readFileSync(rootFile)).toString().trim());
    await eventually(async () => assert.ok(known()));
    await platform.restart();
    assert.ok(known(), 'it was published at the start');
    const { process, url } = await platform.agent(['http', '3000', '--domain', 'file.underpass.localhost']);
    assert.equal(new URL(url).hostname, 'file.underpass.localhost');
    await process.stop();
  });

  test('an agent that trusts that authority anyway needs no file', async () => {
    await eventually(() => trusted('connect.'));
    const { authtoken, connect_addr } = platform.bootstrap;
    const tunnel = ['http', '3000', '--domain', 'public.underpass.localhost', '--json'];
    const agent = Process.node(AGENT, [...tunnel, '--server', connect_addr, '--authtoken', authtoken], {
      cwd: directory,
      env: { NODE_EXTRA_CA_CERTS: rootFile },
    });
    await agent.line(/"event":"tunnel"/);
    await agent.stop();
  });

  test('an agent that does not trust it joins by the intermediate, which the daemon names', async () => {
    await eventually(() => trusted('connect.'));
    const { authtoken, connect_addr } = platform.bootstrap;
    const { json } = await underpassd(['ca', 'fingerprint', '--json', '--data-dir', platform.dataDir]);
    const pin = json.ca_fingerprint;
    const { certificates } = await readShownChain(
      { host: 'connect.underpass.localhost', port: platform.port },
      { timeoutMs: timeoutMs(5_000) },
    );
    assert.ok(certificates.some((one) => one.ca && fingerprintOf(one) === pin));
    const place = ['--server', connect_addr, '--authtoken', authtoken, '--ca-fingerprint', pin];
    const env = { XDG_CONFIG_HOME: join(directory, 'config') };
    const login = Process.node(AGENT, ['login', ...place], { cwd: directory, env });
    assert.equal((await login.exited).code, 0, login.output);
  });
});
