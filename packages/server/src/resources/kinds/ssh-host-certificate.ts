/** SSH host certificates: what an SSH server proves its name with (specification, sections 2.16 and 4.8). */
import { Type } from '../../core/type.ts';
import type { SshHostCertificateDocument } from '../../documents/index.ts';
import type { StoredKind } from '../definition.ts';
import { sshHostPublicKey } from '../examples.ts';
import { body, describedWrite, exampleId, type Input } from '../schema.ts';
import { authorityReference } from '../ssh-authority.ts';
import {
  type CertificateRules,
  createFields,
  draftCertificate,
  principalsField,
  readFields,
  serialClaim,
  serialTaken,
  showCertificate,
  timeField,
} from '../ssh-certificate.ts';

const described = describedWrite('sshHostDescriptionTooLong', 'sshHostMetadataTooLong');
const create = body(
  {
    ...described,
    ...createFields,
    principals: principalsField(
      'Host names and IP addresses that the server may have, certified in lower case as ssh compares them; none: all.',
    ),
    valid_until: timeField('End of its validity. RFC 3339. Default: a year from now.'),
  },
  {
    examples: [
      {
        ssh_certificate_authority_id: exampleId('sshca'),
        public_key: sshHostPublicKey,
        principals: ['server.example.com'],
      },
    ],
  },
);
const update = body(described, { examples: [{ description: 'Replaced' }] });

const rules: CertificateRules = {
  role: 'host',
  authority: authorityReference('sshHostAuthorityUnknown'),
  neverValid: 'sshHostValidityEmpty',
  defaultEnd: yearAfter,
  principal: (name) => name.toLowerCase(),
};

export const sshHostCertificate: StoredKind<
  SshHostCertificateDocument,
  Input<typeof create>,
  Input<typeof update>
> = {
  source: 'stored',
  name: 'ssh_host_certificate',
  eventStem: 'ssh_host_certificate',
  prefix: 'shcrt',
  path: '/ssh_host_certificates',
  listKey: 'ssh_host_certificates',
  schemaName: 'SSHHostCertificate',
  summary: 'SSH host certificates',
  description: "An SSH server's proof of its name, signed by an SSH certificate authority.",
  group: 'SSH certificates',
  one: 'an SSH host certificate',
  operations: ['create', 'list', 'get', 'update', 'delete'],
  create,
  update,
  read: Type.Object(readFields),
  modules: [],
  references: [rules.authority],

  parse(input, context) {
    return draftCertificate(input, { criticalOptions: {}, extensions: {} }, rules, context);
  },

  merge({ body: current }, patch) {
    return { body: { ...current, ...patch } };
  },

  claims: serialClaim,
  taken: serialTaken,

  show({ body: certificate }) {
    return showCertificate(certificate);
  },
};

function yearAfter(now: number): number {
  const date = new Date(now * 1000);
  date.setUTCFullYear(date.getUTCFullYear() + 1);
  return date.getTime() / 1000;
}
