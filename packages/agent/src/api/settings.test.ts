import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { testCertificate } from '../testing/service.fixture.ts';
import { readApiSettings } from './settings.ts';

const BASE_URL = 'https://api.underpass.localhost:8443';

function folder(t: TestContext, bootstrap?: object): string {
  const cwd = mkdtempSync(join(tmpdir(), 'underpass-api-'));
  t.after(() => rmSync(cwd, { recursive: true }));
  mkdirSync(join(cwd, 'data'));
  writeFileSync(join(cwd, 'data', 'ca.pem'), testCertificate().ca);
  if (bootstrap !== undefined) writeFileSync(join(cwd, 'data', 'bootstrap.json'), JSON.stringify(bootstrap));
  return cwd;
}

const complete = { base_url: BASE_URL, api_key: 'local key', ca_file: 'data/ca.pem' };

test('beside a daemon nothing needs to be said', (t) => {
  const { ca } = testCertificate();
  assert.deepEqual(readApiSettings({}, {}, folder(t, complete)), {
    baseUrl: BASE_URL,
    apiKey: 'local key',
    ca,
    versionHeader: undefined,
  });
});

test("the daemon's key never goes to another server", (t) => {
  const cwd = folder(t, complete);
  assert.throws(
    () => readApiSettings({ apiUrl: 'https://elsewhere' }, {}, cwd),
    /--api-key TOKEN.*UNDERPASS_API_KEY/,
  );
  const { apiKey, ca } = readApiSettings({ apiUrl: 'https://elsewhere', apiKey: 'k' }, {}, cwd);
  assert.deepEqual([apiKey, ca], ['k', undefined]);
  assert.equal(readApiSettings({ apiUrl: `${BASE_URL}/` }, {}, cwd).apiKey, 'local key');
});

test('flags win over variables, variables over the file', (t) => {
  const cwd = folder(t, complete);
  const variables = { UNDERPASS_API_URL: 'https://variable', UNDERPASS_API_KEY: 'variable' };
  assert.equal(readApiSettings({}, variables, cwd).baseUrl, 'https://variable');
  const { baseUrl, apiKey } = readApiSettings({ apiUrl: 'https://flag' }, variables, cwd);
  assert.deepEqual([baseUrl, apiKey], ['https://flag', 'variable']);
  assert.equal(readApiSettings({}, { UNDERPASS_API_KEY: '' }, cwd).apiKey, 'local key');
  assert.equal(readApiSettings({}, { UNDERPASS_API_KEY: 'other user' }, cwd).baseUrl, BASE_URL);
});

test('what is missing or unusable is named', (t) => {
  assert.throws(
    () => readApiSettings({}, {}, folder(t)),
    /--api-url URL and --api-key TOKEN, set UNDERPASS_API_URL and/,
  );
  assert.throws(
    () => readApiSettings({ apiKey: 'k' }, {}, folder(t)),
    /--api-url URL, set UNDERPASS_API_URL/,
  );
  assert.throws(
    () => readApiSettings({}, {}, folder(t, { base_url: BASE_URL })),
    /"api_key" is missing.*--api-key/,
  );
  const flags = { apiUrl: 'https://x', apiKey: 'k', ca: 'nowhere.pem' };
  assert.throws(() => readApiSettings(flags, {}, folder(t)), /nowhere\.pem cannot be read/);
});
