/**
 * Configures clients of the cloud: the region of the identifier, and the key or the role of the destination. Internal
 * addresses are refused, unless the operator sets AWS_ENDPOINT_URL….
 */
import { NodeHttpHandler } from '@smithy/node-http-handler';
import type { CloudSettings } from '../../documents/index.ts';
import { OutboundAgent, type OutboundOptions } from '../../outbound/agent.ts';

export interface CloudOptions extends OutboundOptions {
  readonly settings: CloudSettings;
  /** The key that belongs to `cloud_access_key_id`; '' for a role. */
  readonly secretKey: string;
  /** The account. The role's owner permits only its external id, so the role serves no other account. */
  readonly account: string;
  readonly destination: string;
  readonly timeoutMs?: number;
}

export const TIMEOUT_MS = 30_000;

/** Services by their names in environment variables. */
type Service = 'KINESIS' | 'FIREHOSE' | 'CLOUDWATCH_LOGS' | 'S3' | 'STS';

/** First region of each partition, for identifiers without a region. */
const firstRegions: Readonly<Record<string, string>> = {
  'aws-cn': 'cn-north-1',
  'aws-us-gov': 'us-gov-west-1',
};
const FIRST_REGION = 'us-east-1';

/** Seconds of a session. It is renewed some minutes before its end. */
const SESSION_SECONDS = 3_600;

/** Returns the options of each client. A client tries once, because the delivery decides about retries. */
export function clientOf(service: Service, options: CloudOptions) {
  return { ...connectionTo(service, options), credentials: credentialsOf(options) };
}

function connectionTo(service: Service, options: CloudOptions) {
  const region = regionOf(options.settings.identifier);
  // Set explicitly, because some clients use HTTP/2 by default and ignore the agent.
  const requestHandler = new NodeHttpHandler(
    isOverridden(service) ? {} : { httpsAgent: new OutboundAgent(options) },
  );
  return { region, requestHandler, maxAttempts: 1 };
}

export function regionOf(identifier: string): string {
  const [, partition = '', , region = ''] = identifier.split(':');
  return region || (firstRegions[partition] ?? FIRST_REGION);
}

export function isOverridden(service: Service): boolean {
  const { env } = process;
  if (env.AWS_IGNORE_CONFIGURED_ENDPOINT_URLS === 'true') return false;
  return [env[`AWS_ENDPOINT_URL_${service}`], env.AWS_ENDPOINT_URL].some(
    (url) => url !== undefined && url !== '',
  );
}

function credentialsOf(options: CloudOptions) {
  const { settings, secretKey } = options;
  if (settings.role_identifier !== '') return () => assumeRole(options);
  return { accessKeyId: settings.cloud_access_key_id, secretAccessKey: secretKey };
}

/**
 * Assumes the role with the daemon's own credentials, which the client finds in the usual places. The caller caches the
 * result.
 */
async function assumeRole(options: CloudOptions) {
  const { AssumeRoleCommand, STSClient } = await import('@aws-sdk/client-sts');
  const client = new STSClient(connectionTo('STS', options));
  try {
    const { Credentials: given } = await client.send(
      new AssumeRoleCommand({
        RoleArn: options.settings.role_identifier,
        RoleSessionName: options.destination,
        ExternalId: options.account,
        DurationSeconds: SESSION_SECONDS,
      }),
      { abortSignal: AbortSignal.timeout(options.timeoutMs ?? TIMEOUT_MS) },
    );
    if (given?.AccessKeyId === undefined || given.SecretAccessKey === undefined) {
      throw new Error('the role was assumed without credentials');
    }
    return {
      accessKeyId: given.AccessKeyId,
      secretAccessKey: given.SecretAccessKey,
      ...(given.SessionToken === undefined ? {} : { sessionToken: given.SessionToken }),
      ...(given.Expiration === undefined ? {} : { expiration: given.Expiration }),
    };
  } finally {
    client.destroy();
  }
}
