/** TLS certificates for reserved domains, uploaded or issued (open points, part B 1.20). The private key is never shown. */
import { formatTime } from '../../core/time-text.ts';
import { Type } from '../../core/type.ts';
import type { TlsCertificateDocument } from '../../documents/index.ts';
import { Problem } from '../../errors/problem.ts';
import { maxRsaBits } from '../../pki/rsa-limit.ts';
import {
  isCertificateFault,
  keyContext,
  keyTypes,
  maxCertificatePem,
  readCertificate,
} from '../../pki/uploaded-certificate.ts';
import { authorityFacts, certificateFacts } from '../certificate-fields.ts';
import type { StoredKind } from '../definition.ts';
import { certificateKeyPem, certificatePem } from '../examples.ts';
import {
  body,
  common,
  describedWrite,
  type Input,
  multiline,
  notBlank,
  nullable,
  required,
  secret,
  text,
  timestamp,
} from '../schema.ts';

const described = describedWrite('certificateDescriptionTooLong', 'certificateMetadataTooLong');
const certificate = text(
  maxCertificatePem,
  'pemTooLarge',
  'The leaf, then its intermediates, in PEM. PKCS#7 and base64 without PEM are stored as PEM.',
  {
    examples: [certificatePem],
  },
);
const privateKey = text(
  maxCertificatePem,
  'pemTooLarge',
  'The private key, unencrypted, in PEM: ECDSA, Ed25519, or RSA of at most 4096 bits. Never shown.',
  { examples: [certificateKeyPem] },
);
const create = body(
  {
    ...described,
    certificate_pem: required(multiline(notBlank(certificate)), 'certificateMissing'),
    private_key_pem: required(secret(multiline(notBlank(privateKey))), 'certificateKeyMissing'),
  },
  { examples: [{ certificate_pem: certificatePem, private_key_pem: certificateKeyPem }] },
);
/** Number of users of a certificate that one read checks. */
const usersLookedAt = 100;
const update = body(described, { examples: [{ description: 'For the web shop' }] });

export const tlsCertificate: StoredKind<
  TlsCertificateDocument,
  Input<typeof create>,
  Input<typeof update>
> = {
  source: 'stored',
  name: 'tls_certificate',
  eventStem: 'tls_certificate',
  prefix: 'cert',
  path: '/tls_certificates',
  listKey: 'tls_certificates',
  schemaName: 'TLSCertificate',
  summary: 'TLS certificates',
  description:
    'A certificate with its private key, to be served for reserved domains: uploaded, or issued for one with a management policy.',
  group: 'TLS certificates',
  one: 'a TLS certificate',
  operations: ['create', 'list', 'get', 'update', 'delete'],
  create,
  update,
  read: Type.Object({
    ...common,
    certificate_pem: Type.String(),
    ...authorityFacts,
    ...certificateFacts,
    issued_at: nullable(timestamp('Time of its issue by the service; null for one that was uploaded.')),
  }),
  modules: [],
  references: [],
  inUse: 'certificateInUse',

  parse({ description = '', metadata = '', certificate_pem, private_key_pem }, { sealer }) {
    const read = readCertificate(certificate_pem, private_key_pem);
    if (isCertificateFault(read)) {
      const { error, field, value = '' } = read;
      const allowed = [...keyTypes.values()].join(', ');
      throw new Problem(error, { value, allowed, limit: maxRsaBits }, { field });
    }
    const { facts, keyType, privateKeyPem, certificatePem } = read;
    const { dns_names, ips } = facts.subject_alternative_names;
    if (dns_names.length + ips.length === 0 && facts.subject_common_name === '')
      throw new Problem('certificateNameless', {}, { field: '/certificate_pem' });
    const fields = {
      description,
      metadata,
      certificate_pem: certificatePem,
      private_key_type: keyType,
      ...facts,
    };
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

  /** The one that a managed domain has is the service's to replace. */
  async guard({ before, after }, { store }) {
    if (before === null || after !== null || before.body.issued_at === undefined) return [];
    for (const { from } of await store.linksTo(before.id, usersLookedAt)) {
      const user = await store.get(from);
      if (user?.kind !== 'reserved_domain' || (user.body.certificate_management_policy ?? null) === null)
        continue;
      throw new Problem('certificateManaged', { id: before.id, by: user.id }, { used_by: [user.id] });
    }
    return [];
  },

  show({ body: { description: _, metadata: __, private_key_sealed: ___, issued_at, ...facts } }) {
    return { ...facts, issued_at: issued_at === undefined ? null : formatTime(new Date(issued_at)) };
  },
};
