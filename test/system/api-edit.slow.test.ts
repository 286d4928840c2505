/** `underpass api RESOURCE edit`, with scripts in place of an editor. */
import assert from 'node:assert/strict';
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { after, before, test } from 'node:test';
import { Platform } from '../harness/index.ts';
import { missingPrograms } from '../harness/missing.ts';
import { ApiCommand } from './api-command.fixture.ts';

let platform: Platform;
let api: ApiCommand;
/** Temporary files of the command. */
let temporary: string;

before(async () => {
  platform = await Platform.shared();
  api = new ApiCommand(platform);
  temporary = join(api.folder, 'temporary');
  mkdirSync(temporary);
});
after(async () => {
  await platform.stop();
  api[Symbol.dispose]();
});

/** An editor that runs a shell script on the file `$1`, and keeps what it was given. */
function editor(script: string): Readonly<Record<string, string>> {
  const path = join(api.folder, 'editor');
  writeFileSync(
    path,
    `#!/bin/sh\ncp "$1" '${api.folder}/given'; stat -c %a "$1" "$(dirname "$1")" > '${api.folder}/modes'\n${script}\n`,
  );
  chmodSync(path, 0o755);
  return { EDITOR: path, VISUAL: '', TMPDIR: temporary };
}

function given(): string {
  return readFileSync(join(api.folder, 'given'), 'utf8');
}

test('the changed fields are sent, and the file is private and gone afterwards', {
  skip: missingPrograms('sed'),
}, async () => {
  const edge = await api.json('tls-edges', 'create', '--description', 'edited', '--metadata', 'kept');
  await api.json('ip-policies', 'create', '--description', 'policy');
  await api.text('tls-edges', 'put-ip-restriction', 'edited', '--ip-policy-ids', 'policy');
  const change = `sed -i 's/^description: .*/description: better/; /^ip_restriction:/,/^[a-z]/{/^  /d}; s/^ip_restriction:.*/ip_restriction: null/' "$1"`;
  const { code, out, err } = await api.run(['tls-edges', 'edit', 'edited'], { env: editor(change) });
  assert.deepEqual([code, err], [0, '']);
  assert.equal(out, `Changed description, ip_restriction of tls-edges ${edge.id}.\n`);
  assert.equal(readFileSync(join(api.folder, 'modes'), 'utf8'), '600\n700\n');
  assert.doesNotMatch(given(), /created_at|^uri|^id/m);
  const changed = await api.json('tls-edges', 'get', 'better');
  assert.deepEqual([changed.id, changed.metadata, changed.ip_restriction], [edge.id, 'kept', null]);
  assert.deepEqual(readdirSync(temporary), []);
});

test('a text that is as it was, and one that means the same, change nothing', async () => {
  await api.json('ip-policies', 'create', '--description', 'still');
  for (const script of ['', `echo '# a comment' >> "$1"`]) {
    const { code, out } = await api.run(['ip-policies', 'edit', 'still'], { env: editor(script) });
    assert.deepEqual([code, out], [0, 'Nothing was changed.\n']);
  }
  assert.deepEqual(readdirSync(temporary), []);
});

test('a change that was made while the editor was open is not overwritten', {
  skip: missingPrograms('sed', 'curl'),
}, async () => {
  const { base_url, api_key, ca_file } = platform.bootstrap;
  const policy = await api.json('ip-policies', 'create', '--description', 'meanwhile');
  const edge = await api.json('tls-edges', 'create', '--description', 'meanwhile', '--metadata', 'first');
  await api.text('tls-edges', 'put-ip-restriction', edge.id, '--ip-policy-ids', policy.id);
  const request = `curl -sf --cacert '${ca_file}' -H 'Authorization: Bearer ${api_key}' -H 'Service-Version: 2' -H 'Content-Type: application/json' -X PATCH -d '{"metadata":"theirs"}' '${base_url}/edges/tls/${edge.id}' > /dev/null`;
  const change = `sed -i 's/^metadata: .*/metadata: mine/; /^ip_restriction:/,/^[a-z]/{/^  /d}; s/^ip_restriction:.*/ip_restriction: null/' "$1"`;
  const { code, out, err } = await api.run(['tls-edges', 'edit', edge.id], {
    env: editor(`${request}; ${change}`),
  });
  assert.deepEqual([code, out], [1, '']);
  assert.match(err, new RegExp(`^underpass: Another request changed tls-edges ${edge.id} while the editor`));
  assert.match(err, /Nothing of your change was saved\. Run "underpass api tls-edges edit /);
  const path = /^The change was not completed\. Your text is in (.*)$/m.exec(err)?.[1] ?? '';
  assert.match(readFileSync(path, 'utf8'), /^metadata: mine$/m);
  rmSync(dirname(path), { recursive: true });
  const after = await api.json('tls-edges', 'get', edge.id);
  assert.deepEqual([after.metadata, after.ip_restriction.ip_policies[0].id], ['theirs', policy.id]);

  // The removal of a module follows the update of other fields, and requires the state that the update made.
  const again = await api.run(['tls-edges', 'edit', edge.id], { env: editor(change) });
  assert.deepEqual([again.code, again.err], [0, '']);
  assert.equal(again.out, `Changed metadata, ip_restriction of tls-edges ${edge.id}.\n`);
});

test('secrets are not shown, and stay when other fields of their module are changed', {
  skip: missingPrograms('sed'),
}, async () => {
  await api.json('reserved-domains', 'create', '--name', 'secret');
  await api.json('https-edges', 'create', '--hostports', 'secret.underpass.localhost:443');
  const oidc = '{"issuer":"https://accounts.example.com","client_id":"a","client_secret":"hidden-text"}';
  const where = ['secret.underpass.localhost', '/'];
  const matched = ['--match-type', 'path_prefix', '--match', '/'];
  await api.json('https-edge-routes', 'create', where[0] ?? '', ...matched, '--oidc', oidc);
  const change = `sed -i 's/cookie_prefix: .*/cookie_prefix: shop/' "$1"`;
  const { code, err } = await api.run(['https-edge-routes', 'edit', ...where], { env: editor(change) });
  assert.deepEqual([code, err], [0, '']);
  assert.doesNotMatch(given(), /client_secret|hidden-text/);
  assert.match(given(), /^# Secrets are not shown/m);
  assert.equal((await api.json('https-edge-routes', 'get', ...where)).oidc.cookie_prefix, 'shop');
});

test('a text that is refused stays in a file that is named', async () => {
  await api.json('ip-policies', 'create', '--description', 'refused');
  for (const [script, message] of [
    [`echo 'descripton: x' >> "$1"`, /"descripton" is unknown\. Did you mean "description"\?/],
    [`echo 'a: b: c' >> "$1"`, /Line \d+ is not valid/],
    [`printf 'description: x%0300d' 0 > "$1"`, /code: ERR_SERVICE_\d+ \(HTTP 400\)/],
    [`echo text > "$1"`, /no mapping of fields/],
  ] as const) {
    const { code, err } = await api.run(['ip-policies', 'edit', 'refused'], { env: editor(script) });
    assert.equal(code, 1);
    assert.match(err, message);
    const path = /^The change was not completed\. Your text is in (.*)$/m.exec(err)?.[1] ?? '';
    assert.ok(existsSync(path), err);
    rmSync(dirname(path), { recursive: true });
  }
  assert.equal((await api.json('ip-policies', 'get', 'refused')).metadata, '');
  const failed = await api.run(['ip-policies', 'edit', 'refused'], { env: editor('exit 3') });
  assert.deepEqual([failed.code, /The editor .* failed/.test(failed.err)], [2, true]);
  assert.deepEqual(readdirSync(temporary), []);
});

test('on a terminal the editor opens again with the refused text', {
  skip: missingPrograms('script'),
}, async (t) => {
  await api.json('ip-policies', 'create', '--description', 'again');
  const change = `grep -q wrong "$1" && sed -i '/wrong/d; s/^metadata:.*/metadata: mended/' "$1" || echo 'wrong: 1' >> "$1"`;
  const terminal = api.onTerminal(
    'ip-policies edit again --json',
    editor(change.replace(`'wrong: 1'`, `'{"wrong": 1}'`)),
  );
  t.after(() => terminal.stop('SIGKILL'));
  await terminal.text(/Edit again, or keep the text/);
  terminal.type('k\r');
  assert.equal((await terminal.exited).code, 1);
  const yaml = api.onTerminal('ip-policies edit again', editor(change));
  t.after(() => yaml.stop('SIGKILL'));
  await yaml.text(/"wrong" is unknown[\s\S]*Edit again/);
  yaml.type('\r');
  assert.equal((await yaml.exited).code, 0, yaml.output);
  assert.equal((await api.json('ip-policies', 'get', 'again')).metadata, 'mended');
});
