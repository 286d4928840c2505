import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { answer, refusal, ScriptedServer } from '../../../client/src/scripted-server.fixture.ts';
import { makeCertificate } from '../testing/certificates.fixture.ts';

const COMMAND = fileURLToPath(new URL('../../bin/underpass.js', import.meta.url));
const HOST = 'api.underpass.localhost';

test('a wait that the service requests is reported, and the later result is returned', async (t) => {
  const certificate = makeCertificate(HOST);
  const server = await ScriptedServer.start(certificate);
  const folder = mkdtempSync(join(tmpdir(), 'underpass-run-'));
  t.after(async () => {
    await server.stop();
    rmSync(folder, { recursive: true });
  });
  writeFileSync(join(folder, 'ca.pem'), certificate.ca);
  server.script(refusal(429, 226, { 'retry-after': '1' }), answer(200, { id: 'tn_1' }));
  const url = `https://${HOST}:${server.port}`;
  const flags = ['--api-url', url, '--api-key', 'k', '--ca', 'ca.pem', '--json'];
  const child = spawn(process.execPath, [COMMAND, 'api', 'tunnels', 'get', 'tn_1', ...flags], {
    cwd: folder,
  });
  const texts = { out: '', err: '' };
  child.stdout.setEncoding('utf8').on('data', (text) => (texts.out += text));
  child.stderr.setEncoding('utf8').on('data', (text) => (texts.err += text));
  const code = await new Promise((resolve) => child.on('close', resolve));
  assert.deepEqual([code, JSON.parse(texts.out)], [0, { id: 'tn_1' }]);
  assert.match(texts.err, /^underpass: no 226 \(next try in [12] s\)\n$/);
});
