/** A good body of each kind of SSH certificates. */
import type { JsonObject } from '../../store/store.ts';
import { newSshKey } from '../ssh-keys.fixture.ts';
import { type Sample, type SampleTarget, text, unset } from './sample.fixture.ts';

async function sshSubject(on: SampleTarget): Promise<JsonObject> {
  const { id } = await on.create('ssh_certificate_authority', {});
  return { ssh_certificate_authority_id: id, public_key: newSshKey() };
}

export const sshSamples: readonly Sample[] = [
  {
    kind: 'ssh_certificate_authority',
    body: () => ({}),
    shown: { ...unset, key_type: 'ed25519' },
    patches: text,
    tooLong: { description: 'sshAuthorityDescriptionTooLong', metadata: 'sshAuthorityMetadataTooLong' },
    wrongTypes: { key_size: '2048', private_key_type: 1, elliptic_curve: {} },
  },
  {
    kind: 'ssh_host_certificate',
    body: sshSubject,
    shown: { ...unset, key_type: 'ed25519', principals: [] },
    patches: text,
    tooLong: { description: 'sshHostDescriptionTooLong', metadata: 'sshHostMetadataTooLong' },
    wrongTypes: { principals: 'host.example.com', valid_after: 0, valid_until: [], public_key: {} },
  },
  {
    kind: 'ssh_user_certificate',
    body: sshSubject,
    shown: {
      ...unset,
      key_type: 'ed25519',
      principals: [],
      critical_options: {},
      extensions: { 'permit-pty': '', 'permit-user-rc': '' },
    },
    patches: text,
    tooLong: { description: 'sshUserDescriptionTooLong', metadata: 'sshUserMetadataTooLong' },
    wrongTypes: { extensions: ['permit-pty'], critical_options: '', valid_until: 1, principals: {} },
  },
];
