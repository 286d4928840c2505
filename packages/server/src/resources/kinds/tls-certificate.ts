/** TLS certificates that were uploaded for reserved domains (open points, part B 1.20). The private key is never shown. */
import Type from 'typebox';
import { Problem } from '../../errors/problem.ts';
import {
  isCertificateFault,
  keyContext,
  maxCertificatePem,
  readCertificate,
} from '../../pki/uploaded-certificate.ts';
import type { StoredKind } from '../definition.ts';
import type { TlsCertificateDocument } from '../documents.ts';
import { body, common, describedWrite, type Input, notBlank, nullable, required, text } from '../schema.ts';

const described = describedWrite('certificateDescriptionTooLong', 'certificateMetadataTooLong');
const create = body({
  ...described,
  certificate_pem: required(
    notBlank(text(maxCertificatePem, 'pemTooLarge', 'The leaf, then its intermediates, in PEM.')),
    'certificateMissing',
  ),
  private_key_pem: required(
    notBlank(
      text(maxCertificatePem, 'pemTooLarge', 'Unencrypted: RSA, ECDSA or Ed25519, in PEM. Never shown.'),
    ),
    'certificateKeyMissing',
  ),
});
const update = body(described);

export const tlsCertificate: StoredKind<
  TlsCertificateDocument,
  Input<typeof create>,
  Input<typeof update>
> = {
  source: 'stored',
  name: 'tls_certificate',
  prefix: 'cert',
  path: '/tls_certificates',
  listKey: 'tls_certificates',
  schemaName: 'TLSCertificate',
  summary: 'TLS certificates',
  description: 'A certificate with its private key that was uploaded, to be served for reserved domains.',
  group: 'TLS certificates',
  one: 'a TLS certificate',
  operations: ['create', 'list', 'get', 'update', 'delete'],
  create,
  update,
  read: Type.Object({
    ...common,
    certificate_pem: Type.String(),
    subject_common_name: Type.String(),
    subject_alternative_names: Type.Object({
      dns_names: Type.Array(Type.String()),
      ips: Type.Array(Type.String()),
    }),
    issued_at: nullable(Type.String({ description: 'Null for a certificate that was uploaded.' })),
    not_before: Type.String(),
    not_after: Type.String(),
    key_usages: Type.Array(Type.String()),
    extended_key_usages: Type.Array(Type.String()),
    private_key_type: Type.String(),
    issuer_common_name: Type.String(),
    serial_number: Type.String({ description: 'Lower-case hex.' }),
    subject_organization: Type.String(),
    subject_organizational_unit: Type.String(),
    subject_locality: Type.String(),
    subject_province: Type.String(),
    subject_country: Type.String(),
  }),
  modules: [],
  references: [],
  inUse: 'certificateInUse',

  parse({ description = '', metadata = '', certificate_pem, private_key_pem }, { sealer }) {
    const read = readCertificate(certificate_pem, private_key_pem);
    if (isCertificateFault(read)) {
      const { error, field, value = '' } = read;
      const allowed = 'rsa, ecdsa, ed25519';
      throw new Problem(error, { value, allowed }, { field });
    }
    const { facts, keyType, privateKeyPem } = read;
    const fields = { description, metadata, certificate_pem, private_key_type: keyType, ...facts };
    return {
      body: { ...fields, private_key_sealed: '' },
      complete: (id) => ({
        body: { ...fields, private_key_sealed: sealer.seal(privateKeyPem, keyContext(id)) },
      }),
    };
  },

  merge({ body: current }, patch) {
    return { body: { ...current, ...patch } };
  },

  show({ body: { description: _, metadata: __, private_key_sealed: ___, ...facts } }) {
    return { ...facts, issued_at: null };
  },
};
