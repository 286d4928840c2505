/**
 * The signature scheme of each sender, from its documentation.
 * Invariant: every name in the list has one.
 */
import { createHash } from 'node:crypto';
import type { WebhookProvider } from '../../../core/modules/webhook-providers.ts';
import type { RequestFacts } from '../../sites/site.ts';
import { header, inPairs, ofBody, type Scheme, stamped, standardWebhooks, urlOf } from './scheme.ts';

const AMPERSAND = 0x26;
const base64 = { encoding: 'base64' } as const;
const meta = ofBody('x-hub-signature-256', { prefix: 'sha256=' });
const svix = standardWebhooks('svix');

/** Their signature stands for the secret itself: GitLab sends it as it is. */
export type WebhookScheme = Scheme | { readonly token: string };

const contentfulStamp = 'x-contentful-timestamp';

export const schemes: Readonly<Record<WebhookProvider, WebhookScheme>> = {
  aftership: ofBody('aftership-hmac-sha256', base64),
  airship: stamped({ signature: 'x-ua-signature', stamp: 'x-ua-timestamp', tolerance: 300 }, (at, body) => [
    `${at}:`,
    body,
  ]),
  alchemy: ofBody('x-alchemy-signature'),
  autodesk: ofBody('x-adsk-signature', { algorithm: 'sha1', prefix: 'sha1hash=' }),
  bitbucket: ofBody('x-hub-signature', { prefix: 'sha256=' }),
  bolt: ofBody('x-bolt-hmac-sha256', base64),
  box: stamped(
    {
      signature: ['box-signature-primary', 'box-signature-secondary'],
      stamp: 'box-delivery-timestamp',
      encoding: 'base64',
      tolerance: 600,
    },
    (at, body) => [body, at],
  ),
  brex: standardWebhooks('webhook'),
  buildkite: inPairs('x-buildkite-signature', { stamp: 'timestamp', signature: 'signature' }),
  calendly: inPairs('calendly-webhook-signature', { stamp: 't', signature: 'v1' }),
  castle: ofBody('x-castle-signature', base64),
  chargify: ofBody('x-chargify-webhook-signature-hmac-sha-256'),
  circleci: inPairs('circleci-signature', { signature: 'v1' }),
  clearbit: ofBody('x-request-signature', { algorithm: 'sha1', prefix: 'sha1=' }),
  clerk: svix,
  coinbase: ofBody('x-cc-webhook-signature'),
  contentful: {
    ...stamped({ signature: 'x-contentful-signature', stamp: contentfulStamp }, (_at, body, request) => [
      `${request.method}\n${request.target}\n${contentfulHeaders(request)}\n`,
      body,
    ]),
    covers: (request) => signedHeaders(request).includes(contentfulStamp),
  },
  docusign: ofBody('x-docusign-signature-1', base64),
  dropbox: ofBody('x-dropbox-signature'),
  facebook_graph_api: meta,
  facebook_messenger: meta,
  frameio: versioned('x-frameio-signature', 'x-frameio-request-timestamp', { version: 'v0', tolerance: 300 }),
  github: meta,
  gitlab: { token: 'x-gitlab-token' },
  heroku: ofBody('heroku-webhook-hmac-sha256', base64),
  hubspot: stamped(
    {
      signature: 'x-hubspot-signature-v3',
      stamp: 'x-hubspot-request-timestamp',
      encoding: 'base64',
      tolerance: 300,
    },
    (at, body, request) => [`${request.method}${urlOf(request)}`, body, at],
  ),
  instagram: meta,
  intercom: ofBody('x-hub-signature', { algorithm: 'sha1', prefix: 'sha1=' }),
  launch_darkly: ofBody('x-ld-signature'),
  microsoft_teams: ofBody('authorization', {
    ...base64,
    prefix: 'HMAC ',
    key: (secret) => Buffer.from(secret, 'base64'),
  }),
  modern_treasury: ofBody('x-signature'),
  mongodb: ofBody('x-mms-signature', { algorithm: 'sha1', ...base64 }),
  mux: inPairs('mux-signature', { stamp: 't', signature: 'v1', tolerance: 300 }),
  orb: versioned('x-orb-signature', 'x-orb-timestamp', { version: 'v1', tolerance: 300 }),
  pagerduty: inPairs('x-pagerduty-signature', { signature: 'v1' }),
  pinwheel: versioned('x-pinwheel-signature', 'x-timestamp', { version: 'v2' }),
  pusher: ofBody('x-pusher-signature'),
  sentry: ofBody('sentry-hook-signature'),
  shopify: ofBody('x-shopify-hmac-sha256', base64),
  slack: versioned('x-slack-signature', 'x-slack-request-timestamp', { version: 'v0', tolerance: 300 }),
  sonatype: ofBody('x-nexus-webhook-signature', { algorithm: 'sha1' }),
  square: {
    ...ofBody('x-square-hmacsha256-signature', base64),
    message: (_signed, request, body) => [urlOf(request), body],
  },
  stripe: inPairs('stripe-signature', { stamp: 't', signature: 'v1', tolerance: 300 }),
  svix,
  terraform: ofBody('x-tfe-notification-signature', { algorithm: 'sha512' }),
  tiktok: inPairs('tiktok-signature', { stamp: 't', signature: 's' }),
  twilio: {
    ...ofBody('x-twilio-signature', { algorithm: 'sha1', ...base64 }),
    message: (_signed, request, body) => [`${urlOf(request)}${formFields(request, body)}`],
    covers: isFormOrInUrl,
  },
  twitter: ofBody('x-twitter-webhooks-signature', { ...base64, prefix: 'sha256=' }),
  typeform: ofBody('typeform-signature', { ...base64, prefix: 'sha256=' }),
  webex: ofBody('x-spark-signature', { algorithm: 'sha1' }),
  whatsapp: meta,
  worldline: ofBody('x-gcs-signature', base64),
  xero: ofBody('x-xero-signature', base64),
  zendesk: stamped(
    {
      signature: 'x-zendesk-webhook-signature',
      stamp: 'x-zendesk-webhook-signature-timestamp',
      encoding: 'base64',
    },
    (at, body) => [at, body],
  ),
  zoom: versioned('x-zm-signature', 'x-zm-request-timestamp', { version: 'v0', tolerance: 300 }),
};

/** `v0:<time stamp>:<body>`, with the version before the signature, too. */
function versioned(
  signature: string,
  stamp: string,
  { version, tolerance }: { readonly version: string; readonly tolerance?: number },
): Scheme {
  const names = {
    signature,
    stamp,
    prefix: `${version}=`,
    ...(tolerance === undefined ? {} : { tolerance }),
  };
  return stamped(names, (at, body) => [`${version}:${at}:`, body]);
}

/** The names of what Contentful has signed besides method, path and body. */
function signedHeaders(request: RequestFacts): readonly string[] {
  const names = header(request, 'x-contentful-signed-headers').toLowerCase().split(',');
  return names.map((name) => name.trim());
}

function contentfulHeaders(request: RequestFacts): string {
  return signedHeaders(request)
    .map((name) => `${name}:${header(request, name).trim()}`)
    .join(';');
}

/** Senders stay far below; to sort what is larger would cost more than to get it. */
const largest = { bytes: 64 * 1024, fields: 500 };

function isSmall(form: Buffer): boolean {
  if (form.length > largest.bytes) return false;
  let fields = 1;
  for (const byte of form) if (byte === AMPERSAND) fields += 1;
  return fields <= largest.fields;
}

function isForm(request: RequestFacts): boolean {
  return header(request, 'content-type').startsWith('application/x-www-form-urlencoded');
}

/** The names and values of a form, by name. */
function formFields(request: RequestFacts, body: Buffer): string {
  if (!isForm(request)) return '';
  const fields = [...new URLSearchParams(body.toString())];
  const inOrder = fields.toSorted(([one], [other]) => (one < other ? -1 : one > other ? 1 : 0));
  return inOrder.map(([name, value]) => `${name}${value}`).join('');
}

/** Returns true for a form, or if the URL has the body's digest. */
function isFormOrInUrl(request: RequestFacts, body: Buffer): boolean {
  if (isForm(request) && !isSmall(body)) return false;
  const url = urlOf(request);
  const digest = URL.canParse(url) ? new URL(url).searchParams.get('bodySHA256') : null;
  if (digest === null) return body.length === 0 || isForm(request);
  return digest === createHash('sha256').update(body).digest('hex');
}
