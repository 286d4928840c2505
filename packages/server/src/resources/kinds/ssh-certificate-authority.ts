/** SSH certificate authorities, whose keys the service makes and keeps (specification, sections 2.15 and 4.8). */
import { Type } from '../../core/type.ts';
import type { SshCertificateAuthorityDocument } from '../../documents/index.ts';
import { Problem } from '../../errors/problem.ts';
import {
  type Curve,
  formatPublicKey,
  generateSigningKey,
  type KeyChoice,
  openSigningKey,
} from '../../pki/ssh/index.ts';
import type { StoredKind } from '../definition.ts';
import { body, choice, common, describedWrite, type Input, optional } from '../schema.ts';
import { SerialByKey } from '../serial.ts';
import { sealContext } from '../ssh-authority.ts';

const curves: Readonly<Record<string, Curve>> = {
  nistp256: 'nistp256',
  nistp384: 'nistp384',
  nistp521: 'nistp521',
  p256: 'nistp256',
  p384: 'nistp384',
  p521: 'nistp521',
};

/** An account makes one key at a time: an RSA key keeps a thread of the process's few busy for up to seconds. */
const generating = new SerialByKey();

const described = describedWrite('sshAuthorityDescriptionTooLong', 'sshAuthorityMetadataTooLong');
const only = (type: string, field: string) => ({
  if: { properties: { private_key_type: { const: type } }, required: ['private_key_type'] },
  else: { properties: { [field]: { type: 'null' } } },
});
const create = body(
  {
    ...described,
    private_key_type: optional(
      choice(['rsa', 'ecdsa', 'ed25519'], 'sshAuthorityKeyTypeInvalid', 'The type of its key.', {
        default: 'ed25519',
      }),
    ),
    elliptic_curve: optional(
      choice(
        ['nistp256', 'nistp384', 'nistp521', 'p256', 'p384', 'p521'],
        'sshAuthorityCurveInvalid',
        'The curve, for ecdsa only; nistp256 unless another is given. The short names mean the same curves.',
      ),
    ),
    key_size: optional(
      Type.Integer({
        enum: [2048, 4096],
        'x-error': 'sshAuthorityKeySizeInvalid',
        description: 'Bits of the key, for rsa only; 2048 unless another is given.',
      }),
    ),
  },
  {
    examples: [{ description: 'For our servers', private_key_type: 'ed25519' }],
    allOf: [only('ecdsa', 'elliptic_curve'), only('rsa', 'key_size')],
  },
);
const update = body(described, { examples: [{ description: 'For our old servers' }] });

type Create = Input<typeof create>;

export const sshCertificateAuthority: StoredKind<
  SshCertificateAuthorityDocument,
  Create,
  Input<typeof update>
> = {
  source: 'stored',
  name: 'ssh_certificate_authority',
  eventStem: 'ssh_certificate_authority',
  prefix: 'sshca',
  path: '/ssh_certificate_authorities',
  listKey: 'ssh_certificate_authorities',
  schemaName: 'SSHCertificateAuthority',
  summary: 'SSH certificate authorities',
  description:
    'An authority that signs SSH host and user certificates. Its private key is made and kept by the service.',
  group: 'SSH certificates',
  one: 'an SSH certificate authority',
  operations: ['create', 'list', 'get', 'update', 'delete'],
  create,
  update,
  read: Type.Object({
    ...common,
    public_key: Type.String({
      description: 'Its public key, for @cert-authority lines of known_hosts, and for TrustedUserCAKeys.',
    }),
    key_type: Type.String({ description: 'The type of its key: rsa, ecdsa or ed25519.' }),
  }),
  modules: [],
  references: [],
  inUse: 'sshAuthorityInUse',

  async parse(input, { sealer, principal }) {
    const choice = chooseKey(input);
    const pem = await generating.run(principal.account, () => generateSigningKey(choice));
    const { publicKey } = openSigningKey(pem);
    const fields = {
      description: input.description ?? '',
      metadata: input.metadata ?? '',
      public_key: formatPublicKey(publicKey),
      key_type: publicKey.type,
    };
    return {
      body: { ...fields, private_key_sealed: '' },
      complete: (id) => ({ body: { ...fields, private_key_sealed: sealer.seal(pem, sealContext(id)) } }),
    };
  },

  merge({ body: current }, patch) {
    return { body: { ...current, ...patch } };
  },

  show({ body: { public_key, key_type } }) {
    return { public_key, key_type };
  },
};

/** Fields of another key type are refused, not ignored: the client expects another key. */
function chooseKey(input: Create): KeyChoice {
  const { private_key_type: type = 'ed25519', elliptic_curve: curve, key_size: bits } = input;
  if (curve !== undefined && type !== 'ecdsa') {
    throw new Problem('sshAuthorityCurveMisplaced', { type }, { field: '/elliptic_curve' });
  }
  if (bits !== undefined && type !== 'rsa') {
    throw new Problem('sshAuthorityKeySizeMisplaced', { type }, { field: '/key_size' });
  }
  switch (type) {
    case 'ed25519':
      return { type };
    case 'ecdsa':
      return { type, curve: curves[curve ?? 'nistp256'] as Curve };
    case 'rsa':
      return { type, bits: bits === 4096 ? 4096 : 2048 };
  }
}
