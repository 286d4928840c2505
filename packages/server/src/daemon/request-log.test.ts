import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { test } from 'node:test';
import type { Hostname } from '../core/names/hostname.ts';
import { RequestLog } from '../insight/traffic/request-log.ts';
import { refusedClient, refusedLogin } from './request-log.ts';

test('visitors that are refused before there is a request are listed with the module', () => {
  const log = new RequestLog({
    ...{ choice: 'redacted', node: '', uri: 'u', errorPrefix: 'ERR_' },
    ...{ now: () => 0, uptime: () => 0, random: randomBytes },
  });
  const site = { id: 'edghts_1', account: 'ac_1', carries: 'http' } as const;
  log.refused(
    refusedClient({
      ...{ site, clientAddr: '192.0.2.1:5000', hostname: 'a.example.com' as Hostname },
      ...{ error: 'clientCertificateRefused', why: 'certificate has expired' },
    }),
  );
  log.refused(
    refusedLogin(
      { account: 'ac_1', site: 'edghts_2' },
      {
        page: new URL('https://b.example.com/page?secret=1'),
        client: '2001:db8:1:2::3',
        fault: { code: 'loginUnfinished', message: 'the response is signed by another key' },
      },
    ),
  );
  const entries = log.list('ac_1', { limit: 10, has: () => true });
  const shown = entries.map((entry) => [
    ...[entry.site, entry.host, entry.method, entry.path, entry.query, entry.client_ip],
    ...[entry.status_code, entry.decisions, entry.reason],
  ]);
  const block = (module: string) => [{ module, decision: 'block' }];
  const login = ['edghts_2', 'b.example.com', 'POST', '/page', '', '2001:db8:1::/48'];
  const client = ['edghts_1', 'a.example.com', '', '', '', '192.0.2.0/24', 0];
  assert.deepEqual(shown, [
    [...login, entries[0]!.status_code, block('saml'), 'the response is signed by another key'],
    [...client, block('mutual_tls'), 'certificate has expired'],
  ]);
  assert.match(String(entries[1]!.error_code), /^ERR_60825$/);
});
