/** The webhook verification module: only requests that a sender has signed are served (open points, B 1.9.1 and 4.8). */

import {
  isWebhookSecret,
  webhookProvider,
  webhookProviders,
  webhookSecretContext,
} from '../../core/modules/webhook-providers.ts';
import { Type } from '../../core/type.ts';
import type { WebhookVerificationModule } from '../../documents/index.ts';
import { Problem } from '../../errors/problem.ts';
import type { ModuleContext, StoredModule } from '../definition.ts';
import { body, choice, enabled, type Input, optional, required, secret, text } from '../schema.ts';

const maxSecret = 512;
const inCapitals = webhookProviders.map((name) => name.toUpperCase());
const what =
  'Serves only requests that the sender of webhooks has signed with the secret, as a whole and lately.';

const write = body(
  {
    enabled,
    provider: required(
      choice(
        [...webhookProviders, ...inCapitals],
        'webhookProviderUnsupported',
        'The sender of the requests.',
        // Names for generators of clients. Their own names for the two spellings would be equal.
        { 'x-enum-varnames': [...inCapitals, ...inCapitals.map((name) => `${name}_IN_CAPITALS`)] },
      ),
      'webhookProviderMissing',
    ),
    secret: optional(
      secret(
        text(
          maxSecret,
          'webhookSecretTooLong',
          'Needed: what the sender signs with; of brex, clerk, microsoft_teams and svix base64. Shown as "". A change that leaves it out keeps it, as long as the provider stays.',
        ),
      ),
    ),
  },
  {
    description: what,
    examples: [{ provider: 'github', secret: 'It is a secret to everybody' }],
  },
);

type Fields = Input<typeof write>;

export const webhookVerificationModule = {
  name: 'webhook_verification',
  schemaName: 'EndpointWebhookValidation',
  summary: 'Webhook verification',
  write,
  read: Type.Object(
    {
      enabled: Type.Boolean(),
      provider: Type.String(),
      secret: Type.String({ description: 'Always "".' }),
    },
    { description: what },
  ),
  parse({ enabled = true, provider, secret: given = '' }, pointer, context) {
    return { enabled, provider, secret_sealed: sealed(provider, given, pointer, context) };
  },
  show({ enabled, provider }) {
    return { enabled, provider, secret: '' };
  },
} as const satisfies StoredModule<WebhookVerificationModule, Fields>;

/** Keeps the stored secret if the request has none for the same sender. */
function sealed(
  provider: string,
  given: string,
  pointer: string,
  { current, sealer }: Pick<ModuleContext<WebhookVerificationModule>, 'current' | 'sealer'>,
): string {
  const sender = webhookProvider(provider);
  if (given !== '' && sender !== null && !isWebhookSecret(sender, given))
    throw new Problem('webhookSecretNotBase64', { provider }, { field: `${pointer}/secret` });
  if (given !== '') return sealer.seal(given, webhookSecretContext(provider));
  if (current !== null && webhookProvider(current.provider) === sender) {
    return current.secret_sealed;
  }
  throw new Problem('webhookSecretMissing', { provider }, { field: `${pointer}/secret` });
}
