/** Targets in the cloud: delivery streams, data streams and log groups (specification, section 2.19). */

import { Type } from '../../core/type.ts';
import type { CloudSettings } from '../../documents/index.ts';
import { Problem } from '../../errors/problem.ts';
import type { ErrorNeeding } from '../../errors/values.ts';
import { patterns } from '../patterns.ts';
import { shorten } from '../pointer.ts';
import {
  asking,
  body,
  exactlyOne,
  type Input,
  nullable,
  optional,
  required,
  secret,
  text,
} from '../schema.ts';
import { type CloudIdentifierFault, type CloudResource, faultOf, patternOf } from './cloud-identifier.ts';
import type { GivenSecret, TargetType } from './target-type.ts';

const assumable: CloudResource = { called: 'role', service: 'iam', resource: 'role/', global: true };
const roleText = 'The role that the service assumes: "arn:<partition>:iam::<account>:role/<name>".';
const keyText = 'Names the key.';

const roleWrite = body(
  {
    role_identifier: required(
      text(2048, 'textTooLong', roleText, { pattern: patternOf(assumable) }),
      'cloudRoleMalformed',
    ),
  },
  { description: 'A role that is assumed.' },
);
const credsWrite = body(
  {
    cloud_access_key_id: required(
      text(128, 'textTooLong', keyText, { pattern: patterns.word }),
      'cloudKeyIdInvalid',
    ),
    cloud_secret_access_key: optional(
      secret(
        text(
          1024,
          'textTooLong',
          'The key. Shown as "". An update that leaves it out keeps it, as long as cloud_access_key_id stays.',
          { pattern: patterns.secret },
        ),
      ),
    ),
  },
  { description: 'An access key.' },
);
const authOf = (creds: typeof credsWrite) =>
  body(
    { role: optional(roleWrite), creds: optional(creds) },
    {
      description: 'How to get in: exactly one of these.',
      minProperties: 1,
      ...exactlyOne(['role', 'creds']),
    },
  );
const auth = authOf(credsWrite);
const newAuth = authOf(asking(credsWrite, 'cloud_secret_access_key'));

const role = Type.Object(
  { role_identifier: Type.String({ description: roleText }) },
  { $id: 'CloudRole', description: 'A role that is assumed.' },
);
const creds = Type.Object(
  {
    cloud_access_key_id: Type.String({ description: keyText }),
    cloud_secret_access_key: Type.String({ description: 'Always "".' }),
  },
  { $id: 'CloudCredentials', description: 'An access key.' },
);
const authRead = Type.Object(
  { role: nullable(role), creds: nullable(creds) },
  {
    $id: 'CloudAuth',
    description: 'How to get in: one of these is null.',
  },
);

const faults: Readonly<Record<CloudIdentifierFault, ErrorNeeding<'value' | 'example'>>> = {
  form: 'cloudIdentifierMalformed',
  partition: 'cloudIdentifierPartition',
  service: 'cloudIdentifierService',
  region: 'cloudIdentifierRegion',
  account: 'cloudIdentifierAccount',
  resource: 'cloudIdentifierResource',
};

/** `field` is what the target calls the identifier of what events are sent to. */
function cloudTarget<Field extends string>($id: string, field: Field, resource: CloudResource) {
  const what = `A ${resource.called} in the cloud.`;
  const example = `arn:<partition>:${resource.service}:<region>:<account>:${resource.resource}<name>`;
  const writeWith = (access: typeof auth) =>
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
    write: writeWith(auth),
    create: writeWith(newAuth),
    read: Type.Object(
      { auth: authRead, [field]: Type.String({ description: `Written as "${example}".` }) },
      { $id, description: what },
    ),

    parse(input, pointer) {
      const identifier = input[field];
      const fault = faultOf(identifier, resource);
      if (fault !== null) {
        const at = { field: `${pointer}/${field}` };
        throw new Problem(faults[fault], { value: shorten(identifier), example }, at);
      }
      const { access, secret } = parseAuth(input.auth, `${pointer}/auth`);
      return { settings: { ...access, identifier }, secret };
    },

    show({ role_identifier, cloud_access_key_id, identifier }) {
      const role = role_identifier === '' ? null : { role_identifier };
      const creds = role === null ? { cloud_access_key_id, cloud_secret_access_key: '' } : null;
      return { auth: { role, creds }, [field]: identifier };
    },

    secretBelongsTo({ cloud_access_key_id }) {
      return { cloud_access_key_id };
    },
  } as const satisfies TargetType<CloudSettings, { auth: Input<typeof auth> } & Record<Field, string>>;
}

type Access = Pick<CloudSettings, 'role_identifier' | 'cloud_access_key_id'>;

function parseAuth(
  { role, creds }: Input<typeof auth>,
  field: string,
): { readonly access: Access; readonly secret: GivenSecret | null } {
  if (role !== undefined && creds !== undefined) throw new Problem('cloudAuthSeveral', {}, { field });
  if (role !== undefined) {
    const { role_identifier } = role;
    if (faultOf(role_identifier, assumable) !== null) {
      const at = { field: `${field}/role/role_identifier` };
      throw new Problem('cloudRoleMalformed', at, at);
    }
    return { access: { role_identifier, cloud_access_key_id: '' }, secret: null };
  }
  if (creds === undefined) throw new Error('auth has neither role nor creds');
  const { cloud_access_key_id, cloud_secret_access_key: value = '' } = creds;
  if (!/^\w+$/.test(cloud_access_key_id)) {
    const at = { field: `${field}/creds/cloud_access_key_id` };
    throw new Problem('cloudKeyIdInvalid', at, at);
  }
  return {
    access: { role_identifier: '', cloud_access_key_id },
    secret: { value, field: `${field}/creds/cloud_secret_access_key`, missing: 'cloudSecretMissing' },
  };
}

export const deliveryStream = cloudTarget('EventTargetDeliveryStream', 'delivery_stream_identifier', {
  called: 'delivery stream',
  service: 'firehose',
  resource: 'deliverystream/',
});
export const stream = cloudTarget('EventTargetStream', 'stream_identifier', {
  called: 'data stream',
  service: 'kinesis',
  resource: 'stream/',
});
/** A log group is also written with `:*`, which stands for the streams in it. */
export const logGroup = cloudTarget('EventTargetLogGroup', 'log_group_identifier', {
  called: 'log group',
  service: 'logs',
  resource: 'log-group:',
  suffix: ':*',
});
