/** The option `WebhookVerification`: `{"provider", "secret"}`. */
import { isWebhookSecret, webhookProvider, webhookProviders } from '../../core/modules/webhook-providers.ts';
import { Problem } from '../../errors/problem.ts';
import type { AgentWebhookVerification } from '../../online/agent-modules.ts';
import { shown, textField } from './fields.ts';
import type { ModuleOption } from './option.ts';

const maxSecret = 512;

export const webhookVerificationOption: ModuleOption<AgentWebhookVerification> = {
  option: 'WebhookVerification',
  asksByPresence: true,
  fields: ['provider', 'secret'],
  read(sent, { reading }) {
    const name = textField(sent, 'provider', reading);
    const secret = textField(sent, 'secret', reading);
    const allowed = webhookProviders.join(', ');
    if (name === '') throw new Problem('bindWebhookProviderMissing', { allowed });
    const provider = webhookProvider(name);
    if (provider === null) throw new Problem('bindWebhookProvider', { value: shown(name), allowed });
    const actual = Buffer.byteLength(secret);
    if (secret === '') throw new Problem('webhookSecretMissing', { provider });
    if (actual > maxSecret) throw new Problem('webhookSecretTooLong', { actual, limit: maxSecret });
    if (!isWebhookSecret(provider, secret)) throw new Problem('webhookSecretNotBase64', { provider });
    return { enabled: true, provider, secret };
  },
};
