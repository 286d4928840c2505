/**
 * The webhook verification module: requests that the sender has signed with the secret go on, as they came. Never one whose signature is
 * not right for all of its body, or older than the sender's own word allows.
 */
import { createHmac, timingSafeEqual } from 'node:crypto';
import {
  type WebhookProvider,
  webhookProvider,
  webhookSecretContext,
} from '../../core/modules/webhook-providers.ts';
import type { WebhookVerificationModule } from '../../documents/index.ts';
import type { AgentWebhookVerification } from '../../online/agent-modules.ts';
import type { Look } from '../sites/look.ts';
import type { Preview, RequestFacts, Verdict } from '../sites/site.ts';
import type { EdgeModule } from './module.ts';
import { shutParts } from './shut.ts';
import { challenges } from './webhooks/challenges.ts';
import { header, type Scheme } from './webhooks/scheme.ts';
import { schemes } from './webhooks/schemes.ts';

/** Senders stay far below; what is larger is not kept. */
const maxBody = 2 * 1024 * 1024;
const name = 'webhook_verification';

/** `now`: milliseconds since 1970. */
export function webhookVerificationModule(
  now: () => number,
): EdgeModule<WebhookVerificationModule | AgentWebhookVerification> {
  return {
    compile(config, { look }) {
      const provider = webhookProvider(config.provider);
      const secret = secretOf(config, look);
      // An unknown provider, or an unreadable secret, admits no request.
      if (provider === null || secret === null) return shut;
      const check = (request: RequestFacts, body: Buffer) =>
        verdict(provider, secret, { request, body, now: now() });
      const preview = (request: RequestFacts, body: Buffer): Preview =>
        explained(provider, check(request, body));
      return { bodyGuards: [{ name, terms: `${provider} ${secret}`, limit: maxBody, check, preview }] };
    },
  };
}

export const webhookVerification = webhookVerificationModule(() => Date.now());

const shut = shutParts(
  name,
  'The provider is unknown, or the secret cannot be read, so no request is admitted.',
);

function explained(provider: WebhookProvider, verdict: Verdict): Preview {
  if (verdict === null)
    return { verdict, why: `The request has a valid signature of ${provider} for its empty body.` };
  if (typeof verdict !== 'string' && verdict.status < 400)
    return {
      verdict,
      why: `The request is a check of the address by ${provider}, which the service answers.`,
    };
  return {
    verdict,
    why: `The request has no valid signature of ${provider} for its body, which is empty in an explanation.`,
  };
}

function secretOf(config: WebhookVerificationModule | AgentWebhookVerification, look: Look): string | null {
  if ('secret' in config) return config.secret;
  return look.secret(config.secret_sealed, webhookSecretContext(config.provider));
}

interface Received {
  readonly request: RequestFacts;
  readonly body: Buffer;
  readonly now: number;
}

function verdict(provider: WebhookProvider, secret: string, received: Received): Verdict {
  const challenge = challenges[provider];
  const { request, body } = received;
  const answer = challenge?.unsigned?.(request, secret) ?? null;
  if (answer !== null) return answer;
  const scheme = schemes[provider];
  const isRight =
    'token' in scheme ? isSame(header(request, scheme.token), secret) : isSigned(scheme, secret, received);
  if (!isRight) return challenge?.refusal ?? 'webhookRefused';
  return challenge?.signed?.(body, secret) ?? null;
}

function isSigned(scheme: Scheme, secret: string, { request, body, now }: Received): boolean {
  const signed = scheme.read(request);
  if (signed.signatures.length === 0) return false;
  if (scheme.toleranceSeconds !== null) {
    const age = now / 1000 - secondsOf(signed.stamp);
    if (!(Math.abs(age) <= scheme.toleranceSeconds)) return false;
  }
  if (scheme.covers?.(request, body) === false) return false;
  const hmac = createHmac(scheme.algorithm, scheme.key?.(secret) ?? secret);
  for (const part of scheme.message(signed, request, body)) hmac.update(part);
  const expected = hmac.digest(scheme.encoding);
  // All of them; the head bounds their number.
  const sent = signed.signatures.map((text) => (scheme.encoding === 'hex' ? text.toLowerCase() : text));
  return sent.some((signature) => isSame(signature, expected));
}

/** Returns seconds since 1970; NaN for an invalid time. Senders use seconds, milliseconds or a date. */
function secondsOf(stamp: string): number {
  if (!/^\d{1,15}$/.test(stamp)) return Date.parse(stamp) / 1000;
  const number = Number(stamp);
  return number > 1e11 ? number / 1000 : number;
}

function isSame(sent: string, expected: string): boolean {
  const [one, other] = [Buffer.from(sent, 'latin1'), Buffer.from(expected)];
  return one.length === other.length && timingSafeEqual(one, other);
}
