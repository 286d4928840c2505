/** Targets in the cloud: delivery streams, data streams and log groups (specification, section 2.19). */

import { Type } from '../../core/type.ts';
import type { CloudSettings } from '../../documents/index.ts';
import { Problem } from '../../errors/problem.ts';
import type { ErrorNeeding } from '../../errors/values.ts';
import { required, text } from '../schema.ts';
import { type CloudAuth, cloudAuth, cloudAuthRead, newCloudAuth, parseAuth, showAuth } from './cloud-auth.ts';
import {
  type CloudIdentifierFault,
  type CloudResource,
  faultOf,
  otherPartition,
  patternOf,
} from './cloud-identifier.ts';
import type { TargetType } from './target-type.ts';

const faults: Readonly<Record<CloudIdentifierFault, ErrorNeeding<'value' | 'example'>>> = {
  form: 'cloudIdentifierMalformed',
  partition: 'cloudIdentifierPartition',
  service: 'cloudIdentifierService',
  region: 'cloudIdentifierRegion',
  account: 'cloudIdentifierAccount',
  resource: 'cloudIdentifierResource',
};

export function exampleOf({ service, resource, global, unowned }: CloudResource): string {
  const [region, account] = [global ? '' : '<region>', unowned ? '' : '<account>'];
  return `arn:<partition>:${service}:${region}:${account}:${resource}<name>`;
}

/** Raises Problem. */
export function checkIdentifier(value: string, resource: CloudResource, field: string): void {
  const fault = faultOf(value, resource);
  if (fault !== null) throw new Problem(faults[fault], { value, example: exampleOf(resource) }, { field });
  const partition = otherPartition(value);
  if (partition !== null) throw new Problem('cloudRegionPartition', { value, partition }, { field });
}

/** `field` is what the target calls the identifier of what events are sent to. */
function cloudTarget<Field extends string>($id: string, field: Field, resource: CloudResource) {
  const what = `A ${resource.called} in the cloud.`;
  const example = exampleOf(resource);
  const writeWith = (access: typeof cloudAuth) =>
    Type.Object(
      {
        auth: required(access, 'cloudAuthMissing'),
        [field]: required(
          text(2048, 'textTooLong', `Written as "${example}".`, { pattern: patternOf(resource) }),
          'cloudIdentifierMissing',
        ),
      },
      { additionalProperties: false, description: what },
    );
  return {
    write: writeWith(cloudAuth),
    create: writeWith(newCloudAuth),
    read: Type.Object(
      { auth: cloudAuthRead, [field]: Type.String({ description: `Written as "${example}".` }) },
      { $id, description: what },
    ),

    parse(input, pointer) {
      const identifier = input[field];
      checkIdentifier(identifier, resource, `${pointer}/${field}`);
      const { access, secret } = parseAuth(input.auth, `${pointer}/auth`);
      return { settings: { ...access, identifier }, secret };
    },

    show({ identifier, ...access }) {
      return { auth: showAuth(access), [field]: identifier };
    },

    secretBelongsTo({ cloud_access_key_id }) {
      return { cloud_access_key_id };
    },
  } as const satisfies TargetType<CloudSettings, { auth: CloudAuth } & Record<Field, string>>;
}

export const deliveryStream = cloudTarget('EventTargetDeliveryStream', 'delivery_stream_identifier', {
  called: 'delivery stream',
  service: 'firehose',
  resource: 'deliverystream/',
  name: '[A-Za-z0-9_.-]{1,64}',
});
export const stream = cloudTarget('EventTargetStream', 'stream_identifier', {
  called: 'data stream',
  service: 'kinesis',
  resource: 'stream/',
  name: '[A-Za-z0-9_.-]{1,128}',
});
/** A log group is also written with `:*`, which stands for the streams in it. */
export const logGroup = cloudTarget('EventTargetLogGroup', 'log_group_identifier', {
  called: 'log group',
  service: 'logs',
  resource: 'log-group:',
  name: '[A-Za-z0-9_./#-]{1,512}',
  suffix: ':*',
});
