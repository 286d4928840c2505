/** Certificate authorities that were uploaded, to judge client certificates by (specification, section 2.17). */
import { Type } from '../../core/type.ts';
import type { CertificateAuthorityDocument } from '../../documents/index.ts';
import { Problem } from '../../errors/problem.ts';
import { maxRsaBits } from '../../pki/rsa-limit.ts';
import { maxAuthorityPem, readAuthority, splitCommand } from '../../pki/uploaded-authority.ts';
import { authorityFacts } from '../certificate-fields.ts';
import type { StoredKind } from '../definition.ts';
import { authorityPem } from '../examples.ts';
import { body, common, describedWrite, type Input, multiline, notBlank, required, text } from '../schema.ts';

const described = describedWrite('caDescriptionTooLong', 'caMetadataTooLong');
const pem = text(
  maxAuthorityPem,
  'pemTooLarge',
  'One certificate in PEM, of a CA; an RSA key has at most 4096 bits. PKCS#7 and base64 without PEM are stored as PEM.',
  {
    examples: [authorityPem],
  },
);
const create = body(
  { ...described, ca_pem: required(multiline(notBlank(pem)), 'caPemMissing') },
  { examples: [{ description: 'Our devices', ca_pem: authorityPem }] },
);
const update = body(described, { examples: [{ description: 'Our old devices' }] });

export const certificateAuthority: StoredKind<
  CertificateAuthorityDocument,
  Input<typeof create>,
  Input<typeof update>
> = {
  source: 'stored',
  name: 'certificate_authority',
  eventStem: 'certificate_authority',
  prefix: 'ca',
  path: '/certificate_authorities',
  listKey: 'certificate_authorities',
  schemaName: 'CertificateAuthority',
  summary: 'Certificate authorities',
  description:
    'A certificate authority that was uploaded, to judge the certificates of clients by (mutual TLS).',
  group: 'TLS certificates',
  one: 'a certificate authority',
  operations: ['create', 'list', 'get', 'update', 'delete'],
  create,
  update,
  read: Type.Object({
    ...common,
    ca_pem: Type.String(),
    ...authorityFacts,
  }),
  modules: [],
  references: [],
  inUse: 'certificateAuthorityInUse',

  parse({ description = '', metadata = '', ca_pem }) {
    const read = readAuthority(ca_pem);
    if (typeof read === 'string')
      throw new Problem(read, { limit: maxRsaBits, command: splitCommand }, { field: '/ca_pem' });
    return { body: { description, metadata, ca_pem: read.pem, ...read.facts } };
  },

  merge({ body: current }, patch) {
    return { body: { ...current, ...patch } };
  },

  show({ body: { description: _, metadata: __, ...facts } }) {
    return facts;
  },
};
