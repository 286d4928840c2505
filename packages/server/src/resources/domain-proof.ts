/** Shows the proof that a reserved domain belongs to its account, and the records that were found. */

import { baseOf } from '../core/names/hostname.ts';
import { Type } from '../core/type.ts';
import { proofName, proofText } from '../dns/proof.ts';
import { challengeTarget } from '../dns/targets.ts';
import type { ReservedDomainDocument } from '../documents/index.ts';
import type { DocumentOf, StoredView } from './definition.ts';
import { nullable } from './schema.ts';

const record = Type.Object({
  name: Type.String({ description: 'Full name of the record.' }),
  type: Type.String({ description: 'CNAME or TXT.' }),
  value: Type.String({ description: 'Value that the record must have.' }),
});

export const domainProof: StoredView<ReservedDomainDocument> = {
  name: 'proof',
  schemaName: 'ReservedDomainProof',
  summary: 'Get the proof that a reserved domain belongs to its account',
  read: Type.Object({
    required: Type.Boolean({ description: 'True if the domain is served only with a proof.' }),
    proven_by: nullable(
      Type.String({
        description:
          'The proof: alias, of its target; addresses, those of the service; text, which names the account. Null without a proof.',
      }),
    ),
    records: Type.Array(record, {
      description:
        'Records of which one is enough; none below the shared domain, which the service has itself.',
    }),
    message: Type.String({ description: 'The present state of DNS.' }),
  }),

  async show(document, { settings, proofs }) {
    if (document.body.cname_target === '') {
      return {
        required: false,
        proven_by: null,
        records: [],
        message: 'the name is below the shared domain',
      };
    }
    const { provenBy: proven_by, message } = await proofs.look({ ...document, kind: 'reserved_domain' });
    const required = settings.requireDomainProof;
    return { required, proven_by, records: recordsOf(document, settings), message };
  },
};

export function recordsOf(
  { id, account, body: { domain, cname_target } }: DocumentOf<ReservedDomainDocument>,
  settings: Parameters<typeof challengeTarget>[2],
) {
  const challenge = challengeTarget(id, domain, settings);
  const alias =
    challenge === null
      ? { name: baseOf(domain), type: 'CNAME', value: cname_target }
      : { name: `_acme-challenge.${baseOf(domain)}`, type: 'CNAME', value: challenge };
  return [alias, { name: proofName(domain), type: 'TXT', value: proofText(account) }];
}
