/** The credentials for targets in the cloud: a role that the service assumes, or a key (specification, section 2.19). */

import { Type } from '../../core/type.ts';
import type { CloudSettings } from '../../documents/index.ts';
import { Problem } from '../../errors/problem.ts';
import type { JsonObject } from '../../store/store.ts';
import { patterns } from '../patterns.ts';
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
import { type CloudResource, faultOf, patternOf } from './cloud-identifier.ts';
import type { GivenSecret } from './target-type.ts';

const assumable: CloudResource = { called: 'role', service: 'iam', resource: 'role/', global: true };
/** Ids of keys that a role or a session gets, and of things that are no keys: users, groups, roles, policies and certificates. */
const temporaryKey = /^(?:ASIA|ABIA|ACCA|AGPA|AIDA|AIPA|ANPA|ANVA|APKA|AROA|ASCA)[A-Z0-9]{12,}$/;
const roleText = 'The role that the service assumes: "arn:<partition>:iam::<account>:role/<name>".';
const keyText = 'Names the key: a lasting one of a user ("AKIA…"). A temporary one ("ASIA…") is refused.';

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
      description: 'The credentials: exactly one of these.',
      minProperties: 1,
      ...exactlyOne(['role', 'creds']),
    },
  );
/** Fields of an update, which keeps a key that it leaves out. */
export const cloudAuth = authOf(credsWrite);
export const newCloudAuth = authOf(asking(credsWrite, 'cloud_secret_access_key'));

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
export const cloudAuthRead = Type.Object(
  { role: nullable(role), creds: nullable(creds) },
  {
    $id: 'CloudAuth',
    description: 'The credentials: one of these is null.',
  },
);

export type CloudAuth = Input<typeof cloudAuth>;
type Access = Pick<CloudSettings, 'role_identifier' | 'cloud_access_key_id'>;

/** `field`: JSON pointer in the request. Raises Problem. */
export function parseAuth(
  { role, creds }: CloudAuth,
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
  if (temporaryKey.test(cloud_access_key_id)) {
    const at = { field: `${field}/creds/cloud_access_key_id` };
    throw new Problem('cloudKeyTemporary', { value: cloud_access_key_id }, at);
  }
  return {
    access: { role_identifier: '', cloud_access_key_id },
    secret: { value, field: `${field}/creds/cloud_secret_access_key`, missing: 'cloudSecretMissing' },
  };
}

export function showAuth({ role_identifier, cloud_access_key_id }: Access): JsonObject {
  const role = role_identifier === '' ? null : { role_identifier };
  const creds = role === null ? { cloud_access_key_id, cloud_secret_access_key: '' } : null;
  return { role, creds };
}
