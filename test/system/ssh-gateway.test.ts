/** Tunnels that plain OpenSSH starts, without an agent. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { type AddressInfo, connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { after, before, describe, test } from 'node:test';
import { connect as connectTls, createServer as createTlsServer } from 'node:tls';
import {
  ClientCertificates,
  eventually,
  freePorts,
  inTime,
  makeSshKey,
  Platform,
  Process,
  sshClient,
  startUpstream,
  type Upstream,
} from '../harness/index.ts';
import { addAccount } from './attacks.fixture.ts';

let platform: Platform;
let upstream: Upstream;
let directory: string;
let sshPort: number;
let home: { readonly path: string; readonly line: string; readonly id: string };
const clients: Process[] = [];
let keys = 0;

before(async () => {
  directory = mkdtempSync(join(tmpdir(), 'underpass-gateway-'));
  [sshPort = 0] = await freePorts(1);
  platform = await Platform.start({ args: ['--ssh-listen', `127.0.0.1:${sshPort}`] });
  upstream = await startUpstream((request, response) =>
    response.end(`${request.headers.host} ${request.url}`),
  );
  home = await register();
});
after(async () => {
  await Promise.all(clients.map((client) => client.stop('SIGKILL')));
  await platform?.stop();
  await upstream?.stop();
  rmSync(directory, { recursive: true, force: true });
});

/** A new key, as an SSH credential. */
async function register(fields: object = {}) {
  const key = makeSshKey(directory, `key${++keys}`, ['-t', 'ed25519']);
  const { id } = await create('/ssh_credentials', { public_key: key.line, ...fields });
  return { ...key, id };
}

async function create(path: string, body: object): Promise<{ id: string; certificate: string }> {
  const answer = await platform.api('POST', path, body);
  assert.equal(answer.status, 201, answer.text);
  return answer.json;
}

function run(options: readonly string[], command: readonly string[], key = home.path): Process {
  const client = sshClient(sshPort, key, options, command);
  clients.push(client);
  return client;
}

/** `-R` for the upstream; `at` is what stands before its address. */
function forward(at: string, port = upstream.port): readonly string[] {
  return ['-R', `${at}:localhost:${port}`];
}

async function online(client: Process): Promise<string> {
  const [, url = ''] = await client.line(/Forwarding {2}(\S+)/);
  return url;
}

/** A client that ends by itself: what it said, and its exit status. */
async function ended(client: Process) {
  const { code } = await inTime(client.exited, () => `the end of ssh:\n${client.output}`);
  return { code, output: client.output };
}

/** What a service says of itself at a port of the platform. */
async function said(port: number): Promise<string> {
  const socket = connect(port, '127.0.0.1').setEncoding('utf8');
  let text = '';
  for await (const chunk of socket) text += chunk;
  return text;
}

async function sessionOf(credential: string) {
  const { json } = await platform.api('GET', '/tunnel_sessions');
  return json.tunnel_sessions.find((one: { credential: { id: string } }) => one.credential.id === credential);
}

describe('ssh -R', () => {
  test('gives a service a random public name, for as long as it runs', async () => {
    const own = await register();
    const client = run(forward('80'), ['http'], own.path);
    const url = await online(client);
    assert.match(url, /^https:\/\/[0-9a-f]{12}\.underpass\.localhost:\d+$/);
    assert.equal((await platform.visit(`${url}/a?b`)).text, `${new URL(url).host} /a?b`);
    const session = await sessionOf(own.id);
    assert.equal(session.transport, 'ssh');
    assert.match(session.agent_version, /^OpenSSH_/);
    const { json } = await platform.api('GET', '/tunnels');
    const tunnel = json.tunnels.find((one: { public_url: string }) => one.public_url === url);
    assert.equal(tunnel.tunnel_session.id, session.id);
    await client.stop();
    await eventually(async () => {
      assert.equal(await sessionOf(own.id), undefined);
      assert.equal((await platform.visit(url)).status, 404);
    });
  });

  const forms: readonly (readonly [string, string, readonly string[], string])[] = [
    ['a name in place of the address', 'one.underpass.localhost:443', ['http'], 'one.underpass.localhost'],
    ['--hostname', '80', ['http', '--hostname', 'two.underpass.localhost'], 'two.underpass.localhost'],
    ['--subdomain', '443', ['http', '--subdomain=three'], 'three.underpass.localhost'],
    ['an asterisk for the address', '*:80', ['http', '--subdomain', 'four'], 'four.underpass.localhost'],
  ];
  for (const [what, at, command, name] of forms) {
    test(`takes the name from ${what}`, async () => {
      const url = await online(run(forward(at), command));
      assert.equal(new URL(url).hostname, name);
      assert.equal((await platform.visit(`${url}/x`)).text, `${new URL(url).host} /x`);
    });
  }

  test('takes a wildcard that is reserved, the port 0, and the user v2', async () => {
    await create('/reserved_domains', { name: '*.wild.underpass.localhost' });
    const client = run([...forward('*.wild.underpass.localhost:0'), '-l', 'v2'], ['http']);
    const url = await online(client);
    await client.line(new RegExp(`^Allocated port ${platform.port} for remote forward`));
    assert.equal(new URL(url).host, `*.wild.underpass.localhost:${platform.port}`);
    assert.equal((await platform.visit('any.wild.underpass.localhost')).status, 200);
  });

  test('has visitors log in', async () => {
    const url = await online(run(forward('80'), ['http', '--basic-auth', 'someone:their-password']));
    assert.equal((await platform.visit(url)).status, 401);
    const authorization = `Basic ${Buffer.from('someone:their-password').toString('base64')}`;
    assert.equal((await platform.visit(url, { headers: { authorization } })).status, 200);
  });

  test('carries TCP, at a port of its own or at a reserved address', async () => {
    const greeter = createServer((socket) => socket.end('hello from TCP\n')).listen(0, '127.0.0.1');
    await once(greeter, 'listening');
    const { port } = greeter.address() as AddressInfo;
    const any = run(forward('0', port), ['tcp']);
    const anyPort = Number(new URL(await online(any)).port);
    await any.line(new RegExp(`^Allocated port ${anyPort} for remote forward`));
    assert.equal(await said(anyPort), 'hello from TCP\n');
    const { json } = await platform.api('POST', '/reserved_addrs', {});
    const url = await online(run(forward(json.addr, port), ['tcp']));
    assert.equal(url, `tcp://${json.addr}`);
    assert.equal(await said(Number(new URL(url).port)), 'hello from TCP\n');
    greeter.close();
  });

  test('leaves TLS to the service behind it', async () => {
    const identities = new ClientCertificates();
    const { pem, key } = identities.make('the service itself');
    const service = createTlsServer({ cert: pem, key }, (socket) => socket.end()).listen(0, '127.0.0.1');
    await once(service, 'listening');
    try {
      const { port } = service.address() as AddressInfo;
      const url = await online(run(forward('443', port), ['tls', '--subdomain', 'own-tls']));
      assert.equal(url, `tls://own-tls.underpass.localhost:${platform.port}`);
      const options = { host: '127.0.0.1', port: platform.port, rejectUnauthorized: false };
      const visitor = connectTls({ ...options, servername: 'own-tls.underpass.localhost' });
      await once(visitor, 'secureConnect');
      assert.equal(visitor.getPeerCertificate().subject.CN, 'the service itself');
      visitor.destroy();
    } finally {
      service.close();
      identities.remove();
    }
  });

  test('keeps visitors out by their address', async () => {
    const open = await online(run(forward('80'), ['http', '--cidr-allow', '127.0.0.0/8']));
    assert.equal((await platform.visit(open)).status, 200);
    const closed = await online(
      run(forward('80'), ['http', '--cidr-allow', '0.0.0.0/0', '--cidr-deny', '127.0.0.1/32']),
    );
    assert.equal((await platform.visit(closed)).status, 403);
  });

  test('tells visitors that the service behind it is down', async () => {
    const [unused = 0] = await freePorts(1);
    const url = await online(run(forward('80', unused), ['http']));
    const answer = await platform.visit(url);
    assert.equal(answer.status, 502);
    assert.equal(answer.headers['underpass-error-code'], 'ERR_SERVICE_8012');
  });

  test('carries large bodies both ways, and many at a time', async () => {
    const size = 3_000_000;
    const echo = await startUpstream((request, response) => request.pipe(response));
    try {
      const url = await online(run(forward('80', echo.port), ['http']));
      const bodies = Array.from({ length: 8 }, (_, n) => Buffer.alloc(size, n + 65));
      const answers = await Promise.all(bodies.map((body) => platform.visit(url, { method: 'POST', body })));
      for (const [n, { text }] of answers.entries()) assert.ok(text === bodies[n]?.toString(), `body ${n}`);
    } finally {
      await echo.stop();
    }
  });

  test('serves others while one visitor reads nothing of what it asked for', async () => {
    const endless = await startUpstream((request, response) => {
      if (request.url !== '/endless') response.end('short');
      else Readable.from(Array.from({ length: 2000 }, () => Buffer.alloc(65_536))).pipe(response);
    });
    try {
      const url = await online(run(forward('80', endless.port), ['http']));
      const { hostname, host } = new URL(url);
      const stalled = await platform.client.tls(hostname);
      stalled.pause();
      stalled.write(`GET /endless HTTP/1.1\r\nhost: ${host}\r\n\r\n`);
      await once(stalled, 'readable');
      for (let count = 0; count < 20; count++) assert.equal((await platform.visit(url)).text, 'short');
      stalled.destroy();
    } finally {
      await endless.stop();
    }
  });

  test('shows its URL and the requests on a terminal', async () => {
    const client = run(['-tt', ...forward('80')], ['http']);
    const url = await online(client);
    await platform.visit(`${url}/on-the-screen`);
    await client.line(/200 GET \/on-the-screen/);
    await client.line(/Requests {4}1/);
  });

  test('ends with Ctrl-C on its terminal, which the client learns from the gateway and not from a cut', async () => {
    const client = run(['-tt', ...forward('80')], ['http']);
    await online(client);
    client.type('\x03');
    const { output, code } = await ended(client);
    assert.equal(code, 0);
    assert.doesNotMatch(output, /closed by remote host/);
  });

  test('comes back to its name at once while its former connection is frozen', async () => {
    const first = run(forward('80'), ['http', '--subdomain', 'frozen']);
    const url = await online(first);
    first.signal('SIGSTOP');
    await online(run(forward('80'), ['http', '--subdomain', 'frozen']));
    assert.equal((await platform.visit(url)).status, 200);
    first.signal('SIGCONT');
    const { output, code } = await ended(first);
    assert.match(output, /frozen\.underpass\.localhost was bound again/);
    assert.equal(code, 255);
  });
});

describe('a user certificate', () => {
  let authority: string;
  let bare: ReturnType<typeof makeSshKey>;

  before(async () => {
    authority = (await create('/ssh_certificate_authorities', {})).id;
    bare = makeSshKey(directory, 'bare', ['-t', 'ecdsa']);
  });

  async function certified(fields: object): Promise<readonly string[]> {
    const body = { ssh_certificate_authority_id: authority, public_key: bare.line, ...fields };
    const { certificate } = await create('/ssh_user_certificates', body);
    const path = join(directory, `${++keys}-cert.pub`);
    writeFileSync(path, `${certificate}\n`);
    return ['-o', `CertificateFile=${path}`];
  }

  test('lets in as the credential that it names, with its rules', async () => {
    const named = await register({ acl: ['bind:allowed.underpass.localhost'] });
    const options = await certified({ principals: ['somebody', named.id] });
    const url = await online(
      run([...options, ...forward('80')], ['http', '--subdomain', 'allowed'], bare.path),
    );
    assert.equal((await platform.visit(url)).status, 200);
    assert.equal((await sessionOf(named.id)).transport, 'ssh');
    const refused = await ended(
      run([...options, ...forward('80')], ['http', '--subdomain', 'other'], bare.path),
    );
    assert.match(refused.output, /do not permit other\.underpass\.localhost.*ERR_SERVICE_316/);
    assert.equal(refused.code, 1);
  });

  test('runs the command that it forces, in place of any other', async () => {
    const critical_options = { 'force-command': 'http --subdomain forced' };
    const options = await certified({ principals: [home.id], critical_options });
    const url = await online(
      run([...options, ...forward('80')], ['http', '--subdomain', 'asked'], bare.path),
    );
    assert.equal(new URL(url).hostname, 'forced.underpass.localhost');
  });

  const bad: readonly (readonly [string, object, RegExp])[] = [
    ['it names no credential', { principals: ['somebody'] }, /none of its principals/],
    ['it names nobody at all', { principals: [] }, /none of its principals/],
    [
      'it is not valid any more',
      { valid_after: '2020-01-01T00:00:00Z', valid_until: '2021-01-01T00:00:00Z' },
      /not valid any more/,
    ],
    [
      'it is used from elsewhere',
      { critical_options: { 'source-address': '192.0.2.0/24' } },
      /from 127\.0\.0\.1/,
    ],
    ['it asks for what is not known', { critical_options: { 'new@example.com': '' } }, /critical option/],
  ];
  for (const [why, fields, words] of bad) {
    test(`is refused when ${why}`, async () => {
      const options = await certified({ principals: [home.id], ...fields });
      const { code, output } = await ended(run([...options, ...forward('80')], ['http'], bare.path));
      assert.equal(code, 255);
      assert.match(output, words);
      assert.match(output, /ERR_SERVICE_60460/);
    });
  }

  test('without permit-pty has no terminal', async () => {
    const options = await certified({ principals: [home.id], extensions: {} });
    const client = run(['-tt', ...options, ...forward('80')], ['http'], bare.path);
    await client.line(/PTY allocation request failed/);
  });

  test("of another account's authority is refused, whichever credential it names", async () => {
    const other = await addAccount(platform);
    const headers = { authorization: `Bearer ${other.api_key}` };
    const theirs = await platform.api('POST', '/ssh_certificate_authorities', {}, headers);
    const body = {
      ssh_certificate_authority_id: theirs.json.id,
      public_key: bare.line,
      principals: [home.id],
    };
    const { json } = await platform.api('POST', '/ssh_user_certificates', body, headers);
    const path = join(directory, 'of-another-account-cert.pub');
    writeFileSync(path, `${json.certificate}\n`);
    const client = run(['-o', `CertificateFile=${path}`, ...forward('80')], ['http'], bare.path);
    assert.match((await ended(client)).output, /none of its principals is the id/);
  });

  test('is refused when nobody here knows its authority', async () => {
    const foreign = makeSshKey(directory, 'foreign', ['-t', 'ed25519']);
    const path = join(directory, 'foreign-user.pub');
    writeFileSync(path, bare.line);
    const signer = Process.program('ssh-keygen', ['-s', foreign.path, '-I', 'x', '-n', home.id, path]);
    assert.equal((await signer.exited).code, 0);
    const options = ['-o', `CertificateFile=${path.replace('.pub', '-cert.pub')}`];
    const { output } = await ended(run([...options, ...forward('80')], ['http'], bare.path));
    assert.match(output, /no SSH certificate authority of this service/);
  });
});

describe('what changes ends sessions', () => {
  async function started(fields: object = {}) {
    const own = await register(fields);
    const client = run(forward('80'), ['http', '--subdomain', `ends${keys}`], own.path);
    await online(client);
    return { ...own, client };
  }

  test('a credential that is deleted', async () => {
    const { client, id } = await started();
    await platform.api('DELETE', `/ssh_credentials/${id}`);
    const { code, output } = await ended(client);
    assert.equal(code, 255);
    assert.match(output, /Received disconnect.*was deleted, which ends its sessions/);
  });

  test('rules that permit the name no longer', async () => {
    const { client, id } = await started();
    await platform.api('PATCH', `/ssh_credentials/${id}`, { acl: ['bind:else.underpass.localhost'] });
    assert.match((await ended(client)).output, /do not permit/);
  });

  test('an owner who is no longer active', async () => {
    const bot = await create('/bot_users', { name: 'a bot' });
    const { client, path } = await started({ owner_id: bot.id });
    await platform.api('PATCH', `/bot_users/${bot.id}`, { active: false });
    assert.match((await ended(client)).output, /owner of the SSH credential is no longer active/);
    assert.match((await ended(run(forward('80'), ['http'], path))).output, /ERR_SERVICE_60462/);
  });

  test('stop through the API; restart and update are refused', async () => {
    const { client, id } = await started();
    const session = (await sessionOf(id)).id;
    const restart = await platform.api('POST', `/tunnel_sessions/${session}/restart`, {});
    assert.equal(restart.json.error_code, 'ERR_SERVICE_1122');
    const update = await platform.api('POST', `/tunnel_sessions/${session}/update`, {});
    assert.equal(update.json.error_code, 'ERR_SERVICE_1121');
    assert.equal((await platform.api('POST', `/tunnel_sessions/${session}/stop`, {})).status, 204);
    assert.match((await ended(client)).output, /stopped through the API/);
  });
});

describe('refused with words', () => {
  const refusals: readonly (readonly [string, readonly string[], readonly string[], RegExp])[] = [
    ['a shell', ['-R', '80:localhost:1'], [], /There is no shell here.*1107/],
    ['an unknown command', ['-R', '80:localhost:1'], ['ls'], /command "ls" is not known.*1108/],
    [
      'an unknown flag',
      ['-R', '80:localhost:1'],
      ['http', '--nonsense', '1'],
      /"--nonsense" is not known.*1109/,
    ],
    [
      'a flag without its value',
      ['-R', '80:localhost:1'],
      ['http', '--hostname'],
      /--hostname is not used.*1110/,
    ],
    ['a port that http does not have', ['-R', '81:localhost:1'], ['http'], /port 81 cannot.*1113/],
    ['the port of SSH', ['-R', '22:localhost:1'], ['tls'], /port 22 cannot.*1113/],
    ['a port of no address', ['-R', '5432:localhost:1'], ['tcp'], /port 5432 belongs to no address.*1116/],
    [
      'an address without its port',
      ['-R', 'x.y:0:localhost:1'],
      ['tcp'],
      /x\.y is given without its port.*1117/,
    ],
    [
      'a name of another service',
      ['-R', 'other.example.com:443:localhost:1'],
      ['http'],
      /other\.example\.com/,
    ],
    ['a subsystem', ['-s', '-R', '80:localhost:1'], ['sftp'], /the subsystem sftp is refused/],
    ['a connection to elsewhere', ['-W', '169.254.169.254:80'], [], /direct-tcpip is refused/],
    ['an unknown version', ['-l', 'v9', '-R', '80:localhost:1'], ['http'], /user "v9".*1106/],
  ];
  for (const [what, options, command, words] of refusals) {
    test(what, async () => {
      const { code, output } = await ended(run(options, command));
      assert.notEqual(code, 0);
      assert.match(output, words);
    });
  }

  test('forwarding of the SSH agent and of X11, while the tunnel works', async () => {
    const agentless = ['-o', `IdentityAgent=none`, '-A', '-X', '-o', 'ForwardX11Trusted=yes'];
    const client = run([...agentless, ...forward('80')], ['http']);
    await online(client);
  });

  test('a second forwarded port, while the first one works', async () => {
    const client = run([...forward('80'), ...forward('443')], ['http']);
    const url = await online(client);
    await client.line(/remote port forwarding failed for listen port 443/);
    assert.equal((await platform.visit(url)).status, 200);
  });

  test('a key that belongs to no credential', async () => {
    const { path } = makeSshKey(directory, 'unknown', ['-t', 'ed25519']);
    const { code, output } = await ended(run(forward('80'), ['http'], path));
    assert.equal(code, 255);
    assert.match(output, /SHA256:\S+ belongs to no SSH credential.*1102/);
  });

  test('help is given', async () => {
    const { code, output } = await ended(run(forward('80'), ['http', '--help']));
    assert.equal(code, 0);
    assert.match(output, /--basic-auth USER:PASSWORD/);
  });
});

// The last, since it restarts the daemon.
describe('a daemon that stops and starts again', () => {
  test('tells its clients, and is known by the same host key, and by a certificate of it', async () => {
    const publicKey = () => readFileSync(join(platform.dataDir, 'ssh_host_key.pub'), 'utf8').trim();
    const before = publicKey();
    const client = run(forward('80'), ['http']);
    await online(client);
    const authority = await create('/ssh_certificate_authorities', {});
    const { certificate } = await create('/ssh_host_certificates', {
      ssh_certificate_authority_id: authority.id,
      public_key: before,
      principals: ['gate.example.com'],
    });
    writeFileSync(join(platform.dataDir, 'ssh_host_key-cert.pub'), `${certificate}\n`);
    await platform.restart();
    assert.match((await ended(client)).output, /The service is stopping.*ERR_SERVICE_60319/);
    assert.equal(publicKey(), before);
    const { json } = await platform.api('GET', `/ssh_certificate_authorities/${authority.id}`);
    const known = join(directory, 'known_hosts');
    const strict = (name: string) => {
      writeFileSync(known, `@cert-authority ${name} ${json.public_key}\n`);
      const options = ['StrictHostKeyChecking=yes', `UserKnownHostsFile=${known}`, `HostKeyAlias=${name}`];
      return options.flatMap((option) => ['-o', option]);
    };
    await online(run([...strict('gate.example.com'), ...forward('80')], ['http']));
    const refused = await ended(run([...strict('other.example.com'), ...forward('80')], ['http']));
    assert.match(refused.output, /Host key verification failed/);
  });
});
