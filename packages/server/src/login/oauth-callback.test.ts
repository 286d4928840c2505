import assert from 'node:assert/strict';
import { test } from 'node:test';
import { newBrowser } from './flows.ts';
import { startTestLogin } from './login.fixture.ts';
import { LoginFault } from './login-fault.ts';
import { OauthCallback } from './oauth-callback.ts';

test('the callback redirects to the name of the login, and refuses a state without one', async (t) => {
  const { login } = await startTestLogin(t);
  const callback = new OauthCallback(login);
  const answerTo = (host: string) => {
    const { state } = login.flows.begin({ place: 'p', host, target: '/', browser: newBrowser() });
    return callback.answer({ method: 'GET', query: `code=c&state=${state}` });
  };
  const { headers } = answerTo('shop.example.com:8443');
  const [, location = ''] = headers.find(([name]) => name === 'location') ?? [];
  assert.equal(new URL(location).origin, 'https://shop.example.com:8443');
  assert.doesNotMatch(location, /code=/);
  // As of the console: "https:///" leads browsers to the host "underpass".
  assert.throws(
    () => answerTo(''),
    (error) => error instanceof LoginFault && error.code === 'loginUnfinished',
  );
});
