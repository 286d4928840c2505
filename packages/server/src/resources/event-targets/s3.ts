/** A bucket in the cloud as a target (open points, part B 1.14): events are gathered into objects there. */

import { Type } from '../../core/type.ts';
import type { S3Settings } from '../../documents/index.ts';
import { Problem } from '../../errors/problem.ts';
import { patterns } from '../patterns.ts';
import { type Input, optional, required, text } from '../schema.ts';
import { checkIdentifier, exampleOf } from './cloud.ts';
import { cloudAuth, cloudAuthRead, newCloudAuth, parseAuth, showAuth } from './cloud-auth.ts';
import { type CloudResource, patternOf } from './cloud-identifier.ts';
import type { TargetType } from './target-type.ts';

const bucket: CloudResource = {
  ...{ called: 'bucket', service: 's3', resource: '', global: true, unowned: true },
  name: '[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]',
};

const MOST_BYTES = 16_777_216;
const MOST_SECONDS = 86_400;

const what = 'A bucket in the cloud, in which events are stored as objects with a line for each.';
const identifierText = `Written as "${exampleOf(bucket)}".`;
const prefixText =
  'Prefix of the names of objects. The hour of the first event, the ids of the first and the last one, and that of the destination follow.';
const compressionText = 'True if objects are compressed with gzip.';
const sizeText =
  'Bytes of an object, before it is compressed, that are not exceeded, unless by a single event; 0 for the default, 5 MiB. An object has at most 10,000 events; where an account has more than two destinations with buckets, 25,000 divided by their number.';
const ageText = 'Seconds that an event waits for others, to be stored in one object; 0 for the default, 300.';

const writeWith = (access: typeof cloudAuth) =>
  Type.Object(
    {
      auth: required(access, 'cloudAuthMissing'),
      bucket_identifier: required(
        text(2048, 'textTooLong', identifierText, { pattern: patternOf(bucket) }),
        'cloudIdentifierMissing',
      ),
      object_prefix: optional(
        text(512, 'textTooLong', prefixText, { pattern: patterns.objectPrefix, default: '' }),
      ),
      compression: optional(Type.Boolean({ default: false, description: compressionText })),
      max_file_size: optional(
        Type.Integer({ minimum: 0, maximum: MOST_BYTES, default: 0, description: sizeText }),
      ),
      max_file_age: optional(
        Type.Integer({ minimum: 0, maximum: MOST_SECONDS, default: 0, description: ageText }),
      ),
    },
    { additionalProperties: false, description: what },
  );
const write = writeWith(cloudAuth);

export const s3 = {
  write,
  create: writeWith(newCloudAuth),
  read: Type.Object(
    {
      auth: cloudAuthRead,
      bucket_identifier: Type.String({ description: identifierText }),
      object_prefix: Type.String({ description: prefixText }),
      compression: Type.Boolean({ description: compressionText }),
      max_file_size: Type.Integer({ description: sizeText }),
      max_file_age: Type.Integer({ description: ageText }),
    },
    { $id: 'EventTargetS3', description: what },
  ),

  parse({ auth, bucket_identifier: identifier, ...given }, pointer) {
    const { object_prefix = '', compression = false, max_file_size = 0, max_file_age = 0 } = given;
    checkIdentifier(identifier, bucket, `${pointer}/bucket_identifier`);
    checkPrefix(object_prefix, `${pointer}/object_prefix`);
    const { access, secret } = parseAuth(auth, `${pointer}/auth`);
    const settings = {
      ...access,
      ...{ identifier, object_prefix, compression, max_file_size, max_file_age },
    };
    return { settings, secret };
  },

  show({ identifier, object_prefix, compression, max_file_size, max_file_age, ...access }) {
    return {
      ...{ auth: showAuth(access), bucket_identifier: identifier },
      ...{ object_prefix, compression, max_file_size, max_file_age },
    };
  },

  secretBelongsTo({ cloud_access_key_id }) {
    return { cloud_access_key_id };
  },
} as const satisfies TargetType<S3Settings, Input<typeof write>>;

function checkPrefix(value: string, field: string): void {
  if (new RegExp(patterns.objectPrefix).test(value)) return;
  throw new Problem('objectPrefixInvalid', { value }, { field });
}
