/**
 * Senders of webhooks whose signatures can be verified, by the names that clients use. All have a public scheme that
 * needs only a secret.
 */

export const webhookProviders = [
  'aftership',
  'airship',
  'alchemy',
  'autodesk',
  'bitbucket',
  'bolt',
  'box',
  'brex',
  'buildkite',
  'calendly',
  'castle',
  'chargify',
  'circleci',
  'clearbit',
  'clerk',
  'coinbase',
  'contentful',
  'docusign',
  'dropbox',
  'facebook_graph_api',
  'facebook_messenger',
  'frameio',
  'github',
  'gitlab',
  'heroku',
  'hubspot',
  'instagram',
  'intercom',
  'launch_darkly',
  'microsoft_teams',
  'modern_treasury',
  'mongodb',
  'mux',
  'orb',
  'pagerduty',
  'pinwheel',
  'pusher',
  'sentry',
  'shopify',
  'slack',
  'sonatype',
  'square',
  'stripe',
  'svix',
  'terraform',
  'tiktok',
  'twilio',
  'twitter',
  'typeform',
  'webex',
  'whatsapp',
  'worldline',
  'xero',
  'zendesk',
  'zoom',
] as const;

export type WebhookProvider = (typeof webhookProviders)[number];

/** Returns the context that the secret of a webhook verification is sealed for. `provider` may have any case. */
export function webhookSecretContext(provider: string): string {
  return `webhook/${provider.toLowerCase()}`;
}

/** Returns the provider of this name in any case; null for none. */
export function webhookProvider(name: string): WebhookProvider | null {
  const lower = name.toLowerCase();
  return webhookProviders.find((provider) => provider === lower) ?? null;
}

/** Senders whose secret is the base64 of the key. */
const inBase64: ReadonlySet<WebhookProvider> = new Set(['brex', 'clerk', 'microsoft_teams', 'svix']);

/** Base64 of either alphabet, with or without padding. Four characters cannot have one behind them. */
const BASE64 = /^(?!(?:.{4})*.={0,2}$)[\w+/-]+={0,2}$/;

/** Returns true if a sender could sign with this secret. */
export function isWebhookSecret(provider: WebhookProvider, secret: string): boolean {
  return !inBase64.has(provider) || BASE64.test(webhookKeyText(secret));
}

/** The base64 of a secret, which some senders show behind `whsec_`. */
export function webhookKeyText(secret: string): string {
  return secret.replace(/^whsec_/, '');
}
