/** Checks the DNS of a reserved domain now: the records that are there, and those that are missing. */
import { Type } from '../core/type.ts';
import type { Findings } from '../dns/proof.ts';
import type { ReservedDomainDocument } from '../documents/index.ts';
import type { StoredAction } from './definition.ts';
import { recordsOf } from './domain-proof.ts';
import { nullable } from './schema.ts';

const states = ['right', 'wrong', 'missing', 'unknown'] as const;

const record = Type.Object(
  {
    name: Type.String({ description: 'Full name of the record.' }),
    type: Type.String({ description: 'CNAME or TXT.' }),
    value: Type.String({ description: 'Value that the record should have.' }),
    found: Type.Array(Type.String(), {
      description: 'Values that were found; of a CNAME the aliases, one after another.',
    }),
    state: Type.Enum([...states], {
      type: 'string',
      description: '"unknown": no name server answered, so check again later.',
    }),
  },
  { $id: 'ReservedDomainCheckedRecord', description: 'A record, as it should be and as it is.' },
);

export const domainCheck: StoredAction<ReservedDomainDocument> = {
  name: 'check',
  summary: 'Check the DNS of a reserved domain now',
  isRead: true,
  result: {
    schemaName: 'ReservedDomainCheck',
    read: Type.Object({
      leads_here: nullable(
        Type.Boolean({ description: 'True if visitors of the name come here. Null if that is unknown.' }),
      ),
      addresses: Type.Array(Type.String(), {
        description: 'Addresses of the name, if it has others than the service and no alias.',
      }),
      records: Type.Array(record, {
        description: 'Records of which one is enough; none below the shared domain.',
      }),
      message: Type.String({ description: 'The present state of DNS, for people.' }),
    }),
  },

  async run(document, { settings, proofs }) {
    if (document.body.cname_target === '')
      return { leads_here: true, addresses: [], records: [], message: 'the name is below the shared domain' };
    const { findings, message } = await proofs.look({ ...document, kind: 'reserved_domain' });
    const records = recordsOf(document, settings).map((one) => ({ ...one, ...stateOf(one, findings) }));
    const check = findings?.check;
    return {
      leads_here: check === undefined || check.state === 'unknown' ? null : check.state === 'right',
      addresses: check?.state === 'wrong' ? check.record.addresses : [],
      ...{ records, message },
    };
  },
};

/** Returns the found values of a record. */
function stateOf(
  { type, value }: { readonly type: string; readonly value: string },
  findings: Findings | null,
) {
  const found = findings === null ? null : type === 'TXT' ? findings.texts : aliasesIn(findings, value);
  if (found === null) return { found: [], state: 'unknown' };
  const isRight = type === 'TXT' ? found.includes(value) : found.at(-1) === value;
  return { found, state: isRight ? 'right' : found.length > 0 ? 'wrong' : 'missing' };
}

function aliasesIn({ check }: Findings, value: string): readonly string[] | null {
  if (check.state === 'unknown') return null;
  if (check.state === 'wrong') return check.record.aliases;
  return check.by === 'alias' ? [value] : [];
}
