import assert from 'node:assert/strict';
import { createHash, createHmac } from 'node:crypto';
import { test } from 'node:test';
import fc from 'fast-check';
import { anyCharacter } from '../../../../../test/harness/any-character.ts';
import { propertyRuns } from '../../../../../test/harness/property-runs.ts';
import { type WebhookProvider, webhookProviders } from '../../core/modules/webhook-providers.ts';
import { testConnection } from '../sites/connection-facts.fixture.ts';
import type { ConnectionFacts, TlsFacts } from '../sites/facts.ts';
import type { RequestFacts, Verdict } from '../sites/site.ts';
import { webhookVerificationModule } from './webhook-verification.ts';

/** 2026-01-01T00:00:00Z */
const now = 1_767_225_600;
const body = Buffer.from('{"event":"paid","amount":12,"note":"ünï"}');
const key = Buffer.from('c2VjcmV0IG9mIHRoZSB0ZXN0cw==', 'base64');

const tls: TlsFacts = { version: 'TLSv1.3', cipher: 'TLS_AES_128_GCM_SHA256', clientCertificate: null };

interface Sent {
  readonly headers: Readonly<Record<string, string>>;
  readonly connection?: ConnectionFacts;
  readonly method?: string;
  readonly target?: string;
}

/** A sender's signature by its documentation: the signed text, the digest and the sent fields. */
interface Sender {
  readonly digest?: 'sha1' | 'sha256' | 'sha512';
  readonly encoding?: 'base64';
  /** A secret of its own, and the key in it. */
  readonly secret?: string;
  readonly key?: Buffer;
  readonly stamp?: (seconds: number) => string;
  readonly signs?: (body: Buffer, stamp: string) => string | Buffer;
  readonly sends: (signature: string, stamp: string) => Readonly<Record<string, string>>;
  readonly target?: string;
  /** Seconds that a time stamp counts. */
  readonly lives?: number;
}

function hmac(digest: string, key: Buffer, message: string | Buffer): Buffer {
  return createHmac(digest, key).update(message).digest();
}

const bodyDigest = createHash('sha256').update(body).digest('hex');

const seconds = (at: number) => String(at);
const iso = (at: number) => new Date(at * 1000).toISOString();
const joined = (...parts: readonly (string | Buffer)[]) =>
  Buffer.concat(parts.map((part) => Buffer.from(part)));
const contentful = 'x-contentful-signed-headers,x-contentful-timestamp';
const meta: Sender = { sends: (signature) => ({ 'x-hub-signature-256': `sha256=${signature}` }) };

function in64(name: string, more: Partial<Sender> = {}): Sender {
  return { encoding: 'base64', sends: (signature) => ({ [name]: signature }), ...more };
}

function inHex(name: string, more: Partial<Sender> = {}): Sender {
  return { sends: (signature) => ({ [name]: signature }), ...more };
}

function dotted(name: string, lives: number, write: (signature: string, stamp: string) => string): Sender {
  return {
    stamp: seconds,
    lives,
    signs: (bytes, at) => joined(at, '.', bytes),
    sends: (signature, at) => ({ [name]: write(signature, at) }),
  };
}

function colons(
  version: string,
  [signatureName, stampName]: readonly [string, string],
  lives: number,
): Sender {
  return {
    stamp: seconds,
    lives,
    signs: (bytes, at) => joined(version, ':', at, ':', bytes),
    sends: (signature, at) => ({ [signatureName]: `${version}=${signature}`, [stampName]: at }),
  };
}

function standard(prefix: string): Sender {
  return {
    encoding: 'base64',
    secret: `whsec_${key.toString('base64')}`,
    key,
    stamp: seconds,
    lives: 300,
    signs: (bytes, at) => joined('msg_1.', at, '.', bytes),
    sends: (signature, at) => ({
      [`${prefix}-id`]: 'msg_1',
      [`${prefix}-timestamp`]: at,
      [`${prefix}-signature`]: `v1,AAAA v1,${signature} v2,x`,
    }),
  };
}

const senders: Readonly<Record<WebhookProvider, Sender>> = {
  aftership: in64('aftership-hmac-sha256'),
  airship: {
    stamp: seconds,
    lives: 300,
    signs: (bytes, at) => joined(at, ':', bytes),
    sends: (signature, at) => ({ 'x-ua-signature': signature, 'x-ua-timestamp': at }),
  },
  alchemy: inHex('x-alchemy-signature'),
  autodesk: { digest: 'sha1', sends: (signature) => ({ 'x-adsk-signature': `sha1hash=${signature}` }) },
  bitbucket: { sends: (signature) => ({ 'x-hub-signature': `sha256=${signature}` }) },
  bolt: in64('x-bolt-hmac-sha256'),
  box: {
    encoding: 'base64',
    stamp: iso,
    lives: 600,
    signs: (bytes, at) => joined(bytes, at),
    sends: (signature, at) => ({
      'box-delivery-timestamp': at,
      'box-signature-primary': 'AAAA',
      'box-signature-secondary': signature,
    }),
  },
  brex: standard('webhook'),
  buildkite: dotted(
    'x-buildkite-signature',
    180,
    (signature, at) => `timestamp=${at},signature=${signature}`,
  ),
  calendly: dotted('calendly-webhook-signature', 180, (signature, at) => `t=${at},v1=${signature}`),
  castle: in64('x-castle-signature'),
  chargify: inHex('x-chargify-webhook-signature-hmac-sha-256'),
  circleci: { sends: (signature) => ({ 'circleci-signature': `v1=${signature},v2=00` }) },
  clearbit: { digest: 'sha1', sends: (signature) => ({ 'x-request-signature': `sha1=${signature}` }) },
  clerk: standard('svix'),
  coinbase: inHex('x-cc-webhook-signature'),
  contentful: {
    stamp: (at) => `${at}000`,
    lives: 180,
    target: '/entry?a=b',
    signs: (bytes, at) =>
      joined(
        `POST\n/entry?a=b\nx-contentful-signed-headers:${contentful};x-contentful-timestamp:${at}\n`,
        bytes,
      ),
    sends: (signature, at) => ({
      'x-contentful-signature': signature,
      'x-contentful-signed-headers': contentful,
      'x-contentful-timestamp': at,
    }),
  },
  docusign: in64('x-docusign-signature-1'),
  dropbox: inHex('x-dropbox-signature'),
  facebook_graph_api: meta,
  facebook_messenger: meta,
  frameio: colons('v0', ['x-frameio-signature', 'x-frameio-request-timestamp'], 300),
  github: meta,
  gitlab: { sends: () => ({ 'x-gitlab-token': 'the secret' }) },
  heroku: in64('heroku-webhook-hmac-sha256'),
  hubspot: {
    encoding: 'base64',
    target: '/hook?a=b',
    stamp: (at) => `${at}000`,
    lives: 300,
    signs: (bytes, at) => joined('POSThttps://hook.example.com/hook?a=b', bytes, at),
    sends: (signature, at) => ({ 'x-hubspot-signature-v3': signature, 'x-hubspot-request-timestamp': at }),
  },
  instagram: meta,
  intercom: { digest: 'sha1', sends: (signature) => ({ 'x-hub-signature': `sha1=${signature}` }) },
  launch_darkly: inHex('x-ld-signature'),
  microsoft_teams: {
    encoding: 'base64',
    secret: key.toString('base64'),
    key,
    sends: (signature) => ({ authorization: `HMAC ${signature}` }),
  },
  modern_treasury: inHex('x-signature'),
  mongodb: in64('x-mms-signature', { digest: 'sha1' }),
  mux: dotted('mux-signature', 300, (signature, at) => `t=${at},v1=${signature}`),
  orb: { ...colons('v1', ['x-orb-signature', 'x-orb-timestamp'], 300), stamp: iso },
  pagerduty: { sends: (signature) => ({ 'x-pagerduty-signature': `v1=00,v1=${signature}` }) },
  pinwheel: colons('v2', ['x-pinwheel-signature', 'x-timestamp'], 180),
  pusher: inHex('x-pusher-signature'),
  sentry: inHex('sentry-hook-signature'),
  shopify: in64('x-shopify-hmac-sha256'),
  slack: colons('v0', ['x-slack-signature', 'x-slack-request-timestamp'], 300),
  sonatype: inHex('x-nexus-webhook-signature', { digest: 'sha1' }),
  square: in64('x-square-hmacsha256-signature', {
    signs: (bytes) => joined('https://hook.example.com/', bytes),
  }),
  stripe: dotted('stripe-signature', 300, (signature, at) => `t=${at},v1=${signature},v0=00`),
  svix: standard('svix'),
  terraform: inHex('x-tfe-notification-signature', { digest: 'sha512' }),
  tiktok: dotted('tiktok-signature', 180, (signature, at) => `t=${at},s=${signature}`),
  twilio: in64('x-twilio-signature', {
    digest: 'sha1',
    target: `/sms?bodySHA256=${bodyDigest}`,
    signs: () => `https://hook.example.com/sms?bodySHA256=${bodyDigest}`,
  }),
  twitter: {
    encoding: 'base64',
    sends: (signature) => ({ 'x-twitter-webhooks-signature': `sha256=${signature}` }),
  },
  typeform: { encoding: 'base64', sends: (signature) => ({ 'typeform-signature': `sha256=${signature}` }) },
  webex: inHex('x-spark-signature', { digest: 'sha1' }),
  whatsapp: meta,
  worldline: in64('x-gcs-signature'),
  xero: in64('x-xero-signature'),
  zendesk: {
    encoding: 'base64',
    stamp: iso,
    lives: 180,
    signs: (bytes, at) => joined(at, bytes),
    sends: (signature, at) => ({
      'x-zendesk-webhook-signature': signature,
      'x-zendesk-webhook-signature-timestamp': at,
    }),
  },
  zoom: colons('v0', ['x-zm-signature', 'x-zm-request-timestamp'], 300),
};

function sent(sender: Sender, signed: Buffer, at = now): Sent {
  const stamp = sender.stamp?.(at) ?? '';
  const message = sender.signs?.(signed, stamp) ?? signed;
  const mac = hmac(sender.digest ?? 'sha256', sender.key ?? Buffer.from('the secret'), message);
  return {
    headers: sender.sends(mac.toString(sender.encoding ?? 'hex'), stamp),
    target: sender.target ?? '/',
  };
}

function judge(
  provider: WebhookProvider,
  secret: string,
  { headers, ...more }: Sent,
  received: Buffer,
): Verdict {
  const config = { enabled: true, provider, secret };
  const look = {
    get: () => undefined,
    group: () => [],
    rules: () => assert.fail(),
    secret: () => null,
    login: null,
    backend: () => assert.fail(),
  };
  const module = webhookVerificationModule(() => now * 1000);
  const [guard] =
    module.compile(config, { look, place: '', account: 'ac_1', carrier: 'here', before: undefined })
      .bodyGuards ?? [];
  const all: Readonly<Record<string, string>> = { host: 'hook.example.com', ...headers };
  const request: RequestFacts = {
    connection: testConnection({ tls }),
    method: 'POST',
    target: '/',
    values: (name) => (all[name] === undefined ? [] : [all[name]]),
    decisions: new Map(),
    admittedBy: () => null,
    ...more,
  };
  return guard!.check(request, received);
}

function isRefused(verdict: Verdict): boolean {
  return verdict === 'webhookRefused' || (typeof verdict === 'object' && verdict?.status === 401);
}

for (const provider of webhookProviders) {
  const sender = senders[provider];
  const secret = sender.secret ?? 'the secret';

  test(`${provider}: what its sender has signed goes on, and nothing else`, () => {
    const right = sent(sender, body);
    assert.equal(judge(provider, secret, right, body), null);
    const shorter = secret.startsWith('whsec_')
      ? `whsec_${Buffer.from('other').toString('base64')}`
      : 'b3RoZXI=';
    assert.ok(isRefused(judge(provider, shorter, right, body)), 'another secret');
    assert.ok(isRefused(judge(provider, secret, { ...right, headers: {} }, body)), 'no signature');
    const empty = Object.fromEntries(Object.keys(right.headers).map((name) => [name, '']));
    assert.ok(isRefused(judge(provider, secret, { ...right, headers: empty }, body)), 'an empty signature');
    // GitLab's token does not depend on the body.
    if (provider === 'gitlab') return;
    const altered = Buffer.from(body);
    altered[3]! ^= 1;
    assert.ok(isRefused(judge(provider, secret, right, altered)), 'an altered body');
    assert.ok(isRefused(judge(provider, secret, right, Buffer.alloc(0))), 'no body');
  });

  test(`${provider}: whatever is sent by who does not know the secret goes nowhere, and fails at nothing`, () => {
    const { headers } = sent(sender, body);
    const other = secret.startsWith('whsec_') ? `whsec_${Buffer.from('other').toString('base64')}` : 'other';
    const value = fc.oneof(
      fc.constantFrom(...Object.values(headers)),
      fc.string({ unit: anyCharacter, maxLength: 300 }),
      fc.constantFrom('t=,v1=', 't=1,'.repeat(500), 'v1='.repeat(500), ','.repeat(5000), '-1', '1e400'),
    );
    const names = fc.constantFrom(...Object.keys(headers), 'content-type', 'x-contentful-signed-headers');
    const targets = fc.constantFrom('/', '/?bodySHA256=x', '*', '//', '/\\?a=%zz', '/?crc_token=%');
    fc.assert(
      fc.property(fc.dictionary(names, value), fc.uint8Array(), targets, (forged, bytes, target) => {
        const sending = { headers: { ...headers, ...forged }, target };
        for (const received of [body, Buffer.from(bytes)])
          assert.notEqual(judge(provider, other, sending, received), null);
      }),
      { numRuns: propertyRuns(100) },
    );
  });

  const { lives } = sender;
  if (lives === undefined) continue;
  test(`${provider}: what was signed ${lives} seconds ago counts, and what is older, ahead or of no time does not`, () => {
    const at = (moment: number) => judge(provider, secret, sent(sender, body, moment), body);
    assert.equal(at(now - lives), null);
    assert.equal(at(now + lives), null);
    assert.ok(isRefused(at(now - lives - 2)), 'replayed later');
    assert.ok(isRefused(at(now + lives + 2)));
    const stampless = { ...sender, stamp: () => 'soon' };
    assert.ok(isRefused(judge(provider, secret, sent(stampless, body), body)));
    const moved = sent(sender, body, now - 1000);
    const fresh = sender.sends('', sender.stamp?.(now) ?? '');
    const swapped = Object.fromEntries(
      Object.entries(moved.headers).map(([name, value]) => [name, /time/.test(name) ? fresh[name]! : value]),
    );
    assert.ok(isRefused(judge(provider, secret, { ...moved, headers: swapped }, body)), 'an old signature');
  });
}

test('the forms of Twilio are signed by their fields in order, and a body that nothing signs is refused', () => {
  const form = Buffer.from('To=%2B1555&Body=a+b&From=x');
  const type = { 'content-type': 'application/x-www-form-urlencoded; charset=utf-8' };
  const signature = hmac('sha1', Buffer.from('token'), 'https://hook.example.com/smsBodya bFromxTo+1555');
  const headers = { ...type, 'x-twilio-signature': signature.toString('base64') };
  const ask = (bytes: Buffer, more: object = {}) =>
    judge('twilio', 'token', { headers: { ...headers, ...more }, target: '/sms' }, bytes);
  assert.equal(ask(form), null);
  assert.ok(isRefused(ask(Buffer.from('To=%2B1556&Body=a+b&From=x'))));
  const nothing = hmac('sha1', Buffer.from('token'), 'https://hook.example.com/sms');
  const bare = nothing.toString('base64');
  const json = { 'content-type': 'application/json', 'x-twilio-signature': bare };
  assert.ok(isRefused(ask(Buffer.from('{"any":"thing"}'), json)));
  assert.equal(ask(Buffer.alloc(0), json), null);
});

test('a sender that was told a URL of plain HTTP has signed that one', () => {
  const signature = hmac('sha256', Buffer.from('s'), joined('http://hook.example.com/', body));
  const headers = { 'x-square-hmacsha256-signature': signature.toString('base64') };
  assert.equal(judge('square', 's', { headers, connection: testConnection() }, body), null);
  assert.ok(isRefused(judge('square', 's', { headers }, body)), 'over HTTPS the URL is another one');
});

test('what the library of Contentful has signed goes on, but not where the time stamp is not signed', () => {
  const secret = 'a'.repeat(32) + 'b'.repeat(32);
  const entry =
    '{"sys":{"id":"5KsDBWseXY6QegucYAoacS","type":"Entry"},"fields":{"title":{"en-US":"Hello, World!"}}}';
  const headers = {
    'content-type': 'application/vnd.contentful.management.v1+json',
    'x-contentful-topic': 'ContentManagement.Entry.publish',
    'x-contentful-timestamp': String(now * 1000),
    'x-contentful-signed-headers':
      'content-type,x-contentful-signed-headers,x-contentful-timestamp,x-contentful-topic',
    'x-contentful-signature': '8dec81505760a10b542fbc36d3aa0a772b11f759eca7b2351daaf5bba8c7c6f1',
  };
  const ask = (more: object, target = '/trigger/SW5zdGFuY2VGbG93Q29uZmlnOjE=') =>
    judge('contentful', secret, { headers: { ...headers, ...more }, target }, Buffer.from(entry));
  assert.equal(ask({}), null);
  assert.ok(isRefused(ask({}, '/trigger/other')));
  assert.ok(isRefused(ask({ 'x-contentful-topic': 'ContentManagement.Entry.delete' })));
  const unstamped = hmac('sha256', Buffer.from(secret), `POST\n/\nx-a:1\n${entry}`);
  const short = { 'x-contentful-signed-headers': 'x-a', 'x-a': '1' };
  assert.ok(isRefused(ask({ ...short, 'x-contentful-signature': unstamped.toString('hex') }, '/')));
});

test('a form with too many fields is refused, and of many signatures each is compared', () => {
  const form = (fields: number) => Buffer.from(Array.from({ length: fields }, () => 'a=b').join('&'));
  const post = (fields: number) => {
    const signature = hmac('sha1', Buffer.from('token'), `https://hook.example.com/${'ab'.repeat(fields)}`);
    const type = { 'content-type': 'application/x-www-form-urlencoded' };
    const headers = { ...type, 'x-twilio-signature': signature.toString('base64') };
    return judge('twilio', 'token', { headers }, form(fields));
  };
  assert.equal(post(500), null);
  assert.ok(isRefused(post(501)));
  const { 'circleci-signature': right = '' } = sent(senders.circleci, body).headers;
  const after = (wrong: number) => ({
    headers: { 'circleci-signature': `${'v1=00,'.repeat(wrong)}${right}` },
  });
  for (const wrong of [9, 10, 500]) {
    assert.equal(judge('circleci', 'the secret', after(wrong), body), null);
    const none = { headers: { 'circleci-signature': 'v1=00,'.repeat(wrong) } };
    assert.ok(isRefused(judge('circleci', 'the secret', none, body)));
  }
});

test('senders that ask first whether somebody has the secret are answered, and nothing goes on', () => {
  const reply = (verdict: Verdict) => {
    assert.ok(typeof verdict === 'object' && verdict !== null);
    return [verdict.status, verdict.body.toString()];
  };
  const get = { headers: {}, method: 'GET' };
  const mac = (text: string) => hmac('sha256', Buffer.from('s'), text);
  const none = Buffer.alloc(0);
  const twitter = judge('twitter', 's', { ...get, target: '/?crc_token=abc%20d' }, none);
  assert.deepEqual(reply(twitter), [
    200,
    JSON.stringify({ response_token: `sha256=${mac('abc d').toString('base64')}` }),
  ]);
  assert.deepEqual(reply(judge('dropbox', 's', { ...get, target: '/?challenge=<b>' }, none)), [200, '<b>']);
  const asked = { 'x-gcs-webhooks-endpoint-verification': 'v1' };
  assert.deepEqual(reply(judge('worldline', 's', { ...get, headers: asked }, none)), [200, 'v1']);
  assert.ok(isRefused(judge('twitter', 's', { headers: {}, target: '/?crc_token=abc' }, none)), 'no GET');
  assert.ok(isRefused(judge('github', 's', { ...get, target: '/?challenge=a' }, none)));

  const zoom = Buffer.from('{"event":"endpoint.url_validation","payload":{"plainToken":"qgg8"}}');
  const validated = judge('zoom', 'the secret', sent(senders.zoom, zoom), zoom);
  const encrypted = hmac('sha256', Buffer.from('the secret'), 'qgg8');
  const encryptedToken = encrypted.toString('hex');
  assert.deepEqual(reply(validated), [200, JSON.stringify({ plainToken: 'qgg8', encryptedToken })]);
  assert.ok(isRefused(judge('zoom', 'other', sent(senders.zoom, zoom), zoom)), 'it has to be signed');

  const intent = Buffer.from('{"events":[],"firstEventSequence":0,"lastEventSequence":0}');
  assert.deepEqual(reply(judge('xero', 'the secret', sent(senders.xero, intent), intent)), [200, '']);
  assert.deepEqual(reply(judge('xero', 'other', sent(senders.xero, intent), intent)), [401, '']);
});
