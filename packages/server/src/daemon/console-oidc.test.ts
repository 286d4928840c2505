import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pino } from 'pino';
import type { ConsoleOidcSettings } from '../core/console-oidc.ts';
import { startTestLogin } from '../login/login.fixture.ts';
import { operatorActor } from '../resources/change-entry.ts';
import { createAccount } from '../resources/new-account.ts';
import { consoleOidc } from './console-oidc.ts';
import { Parts } from './parts.ts';

test('a start with the sign-in needs an account that is clear, and names the option', async (t) => {
  const { login, store } = await startTestLogin(t);
  const parts = new Parts();
  t.after(() => parts.stop());
  const settings: ConsoleOidcSettings = {
    ...{ issuer: 'https://login.example.com', clientId: 'c', clientSecret: 's', scopes: [] },
    ...{ groupsClaim: 'groups', roles: [{ role: 'admin', group: 'ops' }], account: null },
  };
  const open = (change: Partial<ConsoleOidcSettings> | null) => {
    const chosen = change === null ? null : { ...settings, ...change };
    const config = {
      consoleOidc: chosen,
      settings: { baseUrl: 'https://api.example.com', consoleHost: null, publicPort: 443 },
    };
    return consoleOidc({ config, store, log: pino({ level: 'silent' }), parts }, login, {
      end: async () => {},
    });
  };
  const addAccount = () =>
    createAccount({ store, name: '', email: '', description: '', actor: operatorActor });
  assert.equal(await open(null), null);
  const { account_id } = await addAccount();
  assert.equal((await open({}))?.host, 'login.example.com');
  await assert.rejects(
    open({ account: 'ac_gone' }),
    /^StartError: --dashboard-oidc-account ac_gone: .*no such/,
  );
  await addAccount();
  await assert.rejects(open({}), /several accounts; name the one .* with --dashboard-oidc-account/);
  assert.notEqual(await open({ account: account_id }), null);
});
