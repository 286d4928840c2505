/** SSH credentials: the keys that SSH clients may start tunnels with (specification, sections 2.9 and 4.5). */
import { Type } from '../../core/type.ts';
import type { SshCredentialDocument } from '../../documents/index.ts';
import { Problem } from '../../errors/problem.ts';
import { fingerprint, isKeyFault, type PublicKey, parsePublicKeyText } from '../../pki/ssh/index.ts';
import { aclField, checkRules } from '../acl.ts';
import type { StoredKind } from '../definition.ts';
import { sshPublicKey } from '../examples.ts';
import { lastUseFields, neverUsed } from '../last-use.ts';
import { chooseOwner, ownerId, ownerReference, showOwner } from '../owner.ts';
import { body, common, describedWrite, type Input, notBlank, required, text } from '../schema.ts';

/** A line that is longer is no key, and what is around the key is kept. */
const maxKeyBytes = 8192;

const fields = {
  ...describedWrite('credentialDescriptionTooLong', 'credentialMetadataTooLong'),
  acl: aclField,
};
const create = body(
  {
    ...fields,
    public_key: required(
      notBlank(
        text(
          maxKeyBytes,
          'textTooLong',
          'The key: the line of a ".pub" file, PEM, or RFC 4716; also of a security key (sk-). Comes back as it was sent. No two credentials share a key.',
          { examples: [sshPublicKey] },
        ),
      ),
      'sshKeyMissing',
    ),
    owner_id: ownerId,
  },
  { examples: [{ public_key: sshPublicKey, acl: ['bind:*.example.com'] }] },
);
const update = body(fields, { examples: [{ acl: ['bind:*.example.com'] }] });

export const sshCredential: StoredKind<SshCredentialDocument, Input<typeof create>, Input<typeof update>> = {
  source: 'stored',
  name: 'ssh_credential',
  eventStem: 'ssh_public_key',
  prefix: 'sshcr',
  path: '/ssh_credentials',
  listKey: 'ssh_credentials',
  schemaName: 'SSHCredential',
  summary: 'SSH credentials',
  description: 'A public key of an SSH client, and which names may be bound with it.',
  group: 'Keys and credentials',
  one: 'an SSH credential',
  operations: ['create', 'list', 'get', 'update', 'delete'],
  create,
  update,
  read: Type.Object({
    ...common,
    public_key: Type.String(),
    acl: Type.Array(Type.String()),
    owner_id: Type.String(),
    ...lastUseFields,
  }),
  hasLastUse: true,
  modules: [],
  references: [ownerReference],

  async parse(input, context) {
    const owner = await chooseOwner(input.owner_id, context);
    const acl = checkRules(input.acl ?? []);
    const { public_key } = input;
    const { description = '', metadata = '' } = input;
    return {
      body: {
        description,
        metadata,
        public_key,
        fingerprint: fingerprint(readKey(public_key)),
        acl,
        ...owner,
      },
    };
  },

  merge({ body: current }, patch) {
    if (patch.acl !== undefined) checkRules(patch.acl);
    return { body: { ...current, ...patch } };
  },

  /** A client is known by its key alone, so a key cannot stand for two. */
  claims({ fingerprint }) {
    return [{ kind: 'ssh_key', value: fingerprint }];
  },

  taken({ value }, own) {
    return new Problem(own ? 'sshKeyTakenHere' : 'sshKeyTakenElsewhere', { value }, { field: '/public_key' });
  },

  show({ body }) {
    return { public_key: body.public_key, acl: body.acl, ...showOwner(body), ...neverUsed };
  },
};

const faults = {
  malformed: 'sshKeyInvalid',
  unsupported: 'sshKeyTypeUnsupported',
  weak: 'sshKeyTooShort',
} as const;

function readKey(given: string): PublicKey {
  const text = given.trim();
  const at = { field: '/public_key' };
  if (text === '') throw new Problem('sshKeyMissing', {}, at);
  const key = parsePublicKeyText(text);
  if (!isKeyFault(key)) return key;
  throw new Problem(faults[key.fault], { reason: key.reason }, at);
}
