/** SSH user certificates: what a person proves to an SSH server who they are (open points, part B 1.24). */
import { Type } from '../../core/type.ts';
import type { SshUserCertificateDocument } from '../../documents/index.ts';
import type { StoredKind } from '../definition.ts';
import { sshPublicKey } from '../examples.ts';
import { patterns } from '../patterns.ts';
import { body, describedWrite, exampleId, type Input, optional } from '../schema.ts';
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
import { checkOptions, maxOptions } from '../ssh-options.ts';

const day = 24 * 60 * 60;
const defaultExtensions = { 'permit-pty': '', 'permit-user-rc': '' };

const described = describedWrite('sshUserDescriptionTooLong', 'sshUserMetadataTooLong');
const optionName = Type.String({ pattern: patterns.sshOptionName });
const optionValue = Type.String({
  pattern: patterns.sshOptionValue,
  description: 'Its value; "" for one that has none.',
});
const options = (description: string) =>
  Type.Record(Type.String(), optionValue, {
    propertyNames: optionName,
    maxProperties: maxOptions,
    'x-error': 'sshOptionCount',
    description,
  });
const create = body(
  {
    ...described,
    ...createFields,
    principals: principalsField(
      'User names that may log in with it; none: all, which TrustedUserCAKeys of sshd does not accept.',
    ),
    critical_options: optional(
      options('Options that a server must know and enforce, such as force-command and source-address.'),
    ),
    extensions: optional(
      options('Permissions of the certificate; permit-pty and permit-user-rc by default.'),
    ),
    valid_until: timeField('End of its validity. RFC 3339. Default: 24 hours from now.'),
  },
  {
    examples: [
      {
        ssh_certificate_authority_id: exampleId('sshca'),
        public_key: sshPublicKey,
        principals: ['ada'],
        extensions: { 'permit-pty': '' },
      },
    ],
  },
);
const update = body(described, { examples: [{ description: 'Replaced' }] });

const rules: CertificateRules = {
  role: 'user',
  authority: authorityReference('sshUserAuthorityUnknown'),
  neverValid: 'sshUserValidityEmpty',
  defaultEnd: (now) => now + day,
  principal: (name) => name,
};

export const sshUserCertificate: StoredKind<
  SshUserCertificateDocument,
  Input<typeof create>,
  Input<typeof update>
> = {
  source: 'stored',
  name: 'ssh_user_certificate',
  eventStem: 'ssh_user_certificate',
  prefix: 'sucrt',
  path: '/ssh_user_certificates',
  listKey: 'ssh_user_certificates',
  schemaName: 'SSHUserCertificate',
  summary: 'SSH user certificates',
  description:
    "A person's proof of identity to an SSH server, signed by an SSH certificate authority. Once deleted it starts no tunnels here any more; other servers accept it until it expires.",
  group: 'SSH certificates',
  one: 'an SSH user certificate',
  operations: ['create', 'list', 'get', 'update', 'delete'],
  create,
  update,
  read: Type.Object({
    ...readFields,
    critical_options: Type.Record(Type.String(), Type.String()),
    extensions: Type.Record(Type.String(), Type.String()),
  }),
  modules: [],
  references: [rules.authority],

  async parse(input, context) {
    const critical_options = checkOptions(input.critical_options ?? {}, 'critical_options');
    const extensions = checkOptions(input.extensions ?? defaultExtensions, 'extensions');
    const options = { criticalOptions: critical_options, extensions };
    const { body: unsigned, complete } = await draftCertificate(input, options, rules, context);
    const shown = { critical_options, extensions };
    return {
      body: { ...unsigned, ...shown },
      complete: (id, newId) => ({ body: { ...(complete?.(id, newId).body ?? unsigned), ...shown } }),
    };
  },

  merge({ body: current }, patch) {
    return { body: { ...current, ...patch } };
  },

  claims: serialClaim,
  taken: serialTaken,

  show({ body: certificate }) {
    const { critical_options, extensions } = certificate;
    return { ...showCertificate(certificate), critical_options, extensions };
  },
};
