/** Request and response fields of managed certificates of reserved domains (specification, section 2.13). */

import type { Settings } from '../core/settings.ts';
import { formatTime } from '../core/time-text.ts';
import { Type } from '../core/type.ts';
import type { ManagedCertificate } from '../documents/index.ts';
import type { JsonObject } from '../store/store.ts';
import { choice, type Input, notEmpty, nullable, optional, timestamp } from './schema.ts';

const given = Type.Object(
  {
    authority: optional(choice(['public_ca'], 'domainAuthorityInvalid', 'Issuer of the certificate.')),
    private_key_type: optional(
      choice(
        ['rsa', 'ecdsa'],
        'certificateKeyTypeInvalid',
        'The type of its key; rsa unless another is given.',
      ),
    ),
  },
  {
    additionalProperties: false,
    description:
      'A certificate that the service gets and renews; what is served before stays until it is there. Writing it again during DNS_ERROR retries at once.',
  },
);

export const policyField = notEmpty(given);

export const shownPolicy = Type.Object({
  authority: Type.String({ description: 'Issuer of the certificate.' }),
  private_key_type: Type.String({ description: 'The type of its key.' }),
});
const job = Type.Object(
  {
    error_code: nullable(
      Type.String({
        description: 'Null unless it fails: INTERNAL_ERROR passes, DNS_ERROR has to be mended.',
      }),
    ),
    msg: Type.String({ description: 'The step in progress, or the reason for the failure.' }),
    started_at: timestamp('Time at which it began.'),
    retries_at: nullable(timestamp('Time of the next attempt.')),
  },
  { description: 'The job in progress; null if there is none.' },
);
export const shownStatus = Type.Object(
  {
    renews_at: nullable(timestamp('Time at which the next renewal is requested.')),
    provisioning_job: nullable(job),
  },
  { description: 'The progress of the service with it; null without a managed certificate.' },
);

type Policy = Input<typeof given>;

/** Returns true if a policy requests the present state, as from a client that sends back everything it has read. */
export function isStanding(
  { private_key_type = 'rsa' }: Policy,
  current: ManagedCertificate | null,
): boolean {
  return current?.private_key_type === private_key_type;
}

/** Returns the state after a policy was given. The same policy changes nothing, unless it waits for DNS. */
export function withPolicy(
  policy: Policy,
  current: ManagedCertificate | null,
  now: number,
): ManagedCertificate {
  const { authority = 'public_ca', private_key_type = 'rsa' } = policy;
  const isWaiting = current?.job?.failure?.error_code === 'DNS_ERROR';
  if (current !== null && isStanding(policy, current) && !isWaiting) return current;
  return {
    authority,
    private_key_type,
    set_at: now,
    renews_at: current?.renews_at ?? null,
    job: { started_at: now, failure: null },
  };
}

export function showPolicy({ authority, private_key_type }: ManagedCertificate): JsonObject {
  return { authority, private_key_type };
}

export function showStatus(
  { renews_at, job, set_at }: ManagedCertificate,
  { managedCertificates }: Pick<Settings, 'managedCertificates'>,
): JsonObject {
  const started_at = time(job?.started_at ?? set_at);
  if (managedCertificates === null)
    return {
      renews_at: null,
      provisioning_job: { error_code: 'INTERNAL_ERROR', msg: noDirectory, started_at, retries_at: null },
    };
  if (job === null) return { renews_at: orNull(renews_at), provisioning_job: null };
  const {
    error_code = null,
    msg = 'The request for the certificate is in progress.',
    retries_at = null,
  } = job.failure ?? {};
  return {
    renews_at: orNull(renews_at),
    provisioning_job: { error_code, msg, started_at, retries_at: orNull(retries_at) },
  };
}

const noDirectory =
  'This service is configured with no certificate authority (--acme-directory), so the certificate is not renewed.';

function time(milliseconds: number): string {
  return formatTime(new Date(milliseconds));
}

function orNull(milliseconds: number | null): string | null {
  return milliseconds === null ? null : time(milliseconds);
}
