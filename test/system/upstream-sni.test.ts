/** An https upstream that chooses its certificate by the server name, behind a real agent. */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { eventually, freePorts, nginxMissing, Platform, Process } from '../harness/index.ts';
import { selfSigned } from '../harness/make-certificate.ts';

const skip = nginxMissing;
let platform: Platform;
let nginx: Process;
let folder: string;
let port: number;

before(async () => {
  if (skip !== false) return;
  folder = mkdtempSync(join(tmpdir(), 'nginx-sni-'));
  [port = 0] = await freePorts(1);
  const { pem, key } = selfSigned('inner.example');
  writeFileSync(join(folder, 'cert.pem'), pem);
  writeFileSync(join(folder, 'key.pem'), key);
  writeFileSync(
    join(folder, 'nginx.conf'),
    `daemon off; worker_processes 1; pid ${folder}/nginx.pid; error_log stderr; events {}
     http { access_log off;
       ${['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((of) => `${of}_temp_path ${folder}/${of};`).join(' ')}
       server { listen 127.0.0.1:${port} ssl; server_name inner.example;
         ssl_certificate ${folder}/cert.pem; ssl_certificate_key ${folder}/key.pem;
         return 200 "sni=$ssl_server_name host=$host"; }
       server { listen 127.0.0.1:${port} ssl default_server; ssl_reject_handshake on;
         return 200 "sni=$ssl_server_name of another Host"; } }`,
  );
  const args = ['-c', join(folder, 'nginx.conf'), '-p', folder, '-e', 'stderr'];
  nginx = Process.program('/usr/sbin/nginx', args, { group: true });
  await eventually(
    () =>
      new Promise<void>((resolve, reject) => {
        const socket = connect({ port, host: '127.0.0.1' });
        socket.once('error', reject);
        socket.once('connect', () => {
          socket.destroy();
          resolve();
        });
      }),
  );
  platform = await Platform.shared();
});
after(async () => {
  if (skip !== false) return;
  await platform.stop();
  await nginx.stop();
  rmSync(folder, { recursive: true });
});

const start = (...flags: readonly string[]) =>
  platform.agent(['http', `https://127.0.0.1:${port}`, ...flags]);

test('the server name is that of --host-header or of --upstream-sni, and the certificate is verified for it', {
  skip,
}, async () => {
  const verified = ['--upstream-tls-verify-cas', join(folder, 'cert.pem')];
  for (const flags of [
    ['--host-header', 'inner.example'],
    ['--host-header', `inner.example:${port}`],
    ['--upstream-sni', 'inner.example'],
    ['--upstream-sni', 'inner.example', '--host-header', 'other.example'],
    ['--host-header', 'inner.example', ...verified],
    ['--upstream-sni', 'inner.example', ...verified],
  ]) {
    const { url } = await start(...flags);
    const { status, text } = await platform.visit(url);
    assert.equal(status, 200, flags.join(' '));
    assert.match(text, /^sni=inner\.example /, flags.join(' '));
  }
});

test('an upstream that does not serve the server name is named with what to give', { skip }, async () => {
  for (const flags of [[], ['--host-header', 'rewrite'], ['--upstream-sni', 'other.example']]) {
    const agent = await start(...flags);
    assert.equal((await platform.visit(agent.url)).status, 502);
    await agent.process.line(/unrecognized name\. .*--upstream-sni NAME/);
    assert.doesNotMatch(agent.process.output, /connect\.DOMAIN/);
  }
});
