import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type NextStepsFacts, nextSteps } from './next-steps.ts';

const facts: NextStepsFacts = {
  baseUrl: 'https://api.underpass.localhost:8443',
  dataDir: '/srv/underpass/data',
  hasKeys: true,
  connectAddr: 'connect.underpass.localhost:8443',
  joining: null,
  signIn: null,
  checkout: '/srv/underpass',
};
const agentLine = (changed: Partial<NextStepsFacts>) =>
  nextSteps({ ...facts, ...changed })
    .split('\n')
    .find((line) => line.includes('underpass http 3000'))
    ?.trim();

test('where to look, what to run, what to trust and where the keys are', () => {
  assert.equal(
    nextSteps(facts),
    `  Browse and try the API:
    https://api.underpass.localhost:8443/docs
  Give a service on port 3000 a public URL:
    cd /srv/underpass && npx underpass http 3000
  Trust its certificates (a browser imports the file as an authority):
    curl --cacert /srv/underpass/data/ca.pem https://api.underpass.localhost:8443/docs
  API key and authtoken:
    /srv/underpass/data/bootstrap.json
`,
  );
});

test('a link into the console comes first', () => {
  const url = 'https://api.underpass.localhost:8443/ui/sign-in#token';
  const [what, how] = nextSteps({ ...facts, signIn: url }).split('\n');
  assert.match(what ?? '', /in a browser/);
  assert.equal(how, `    ${url}`);
});

test('another machine joins by a line that needs no file', () => {
  const server = 'connect.underpass.localhost:8443';
  const pin = `sha256:${'0a'.repeat(32)}`;
  const text = nextSteps({ ...facts, joining: { server, ca_fingerprint: pin } });
  const line = `    underpass login --server ${server} --ca-fingerprint ${pin} --authtoken -\n`;
  assert.ok(text.includes(`  Join another machine, which prompts for an authtoken:\n${line}`), text);
});

test('npx is named only where it finds the agent of the checkout', () => {
  assert.equal(
    agentLine({ dataDir: '/var/lib/data' }),
    'cd /var/lib && npm exec --prefix /srv/underpass -- underpass http 3000',
  );
  assert.equal(agentLine({ checkout: null }), 'cd /srv/underpass && underpass http 3000');
});

test('where the agent does not look by itself, the command says all that it needs, and no secret', () => {
  assert.equal(
    agentLine({ dataDir: "/srv/it's here" }),
    'npm exec --prefix /srv/underpass -- underpass http 3000 --server connect.underpass.localhost:8443 ' +
      `--ca '/srv/it'\\''s here/ca.pem' ` +
      `--authtoken "$(sed -n 's/.*"authtoken": "\\(.*\\)".*/\\1/p' '/srv/it'\\''s here/bootstrap.json')"`,
  );
  assert.match(agentLine({ hasKeys: false }) ?? '', / --authtoken "\$UNDERPASS_AUTHTOKEN"$/);
});
