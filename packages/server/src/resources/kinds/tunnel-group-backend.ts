/** Tunnel group backends: the tunnels that carry a set of labels (specification, section 2.3). */
import Type from 'typebox';
import { labelLimits } from '../../core/label-limits.ts';
import { Problem } from '../../errors/problem.ts';
import type { StoredKind } from '../definition.ts';
import type { TunnelGroupBackendDocument } from '../documents.ts';
import { body, common, describedWrite, type Input, optional, Ref } from '../schema.ts';

const { count: maxLabels, keyBytes: maxKeyBytes, valueBytes: maxValueBytes } = labelLimits;

const write = body({
  ...describedWrite('backendDescriptionTooLong', 'backendMetadataTooLong'),
  labels: optional(
    Type.Record(Type.String(), Type.String(), {
      description:
        'A tunnel belongs to the group when it carries every one of these. At least one is needed.',
    }),
  ),
});

type Fields = Input<typeof write>;

export const tunnelGroupBackend: StoredKind<TunnelGroupBackendDocument, Fields, Fields> = {
  source: 'stored',
  name: 'tunnel_group_backend',
  prefix: 'bkdtg',
  path: '/backends/tunnel_group',
  listKey: 'backends',
  schemaName: 'TunnelGroupBackend',
  summary: 'Tunnel group backends',
  operations: ['create', 'list', 'get', 'update', 'delete'],
  create: write,
  update: write,
  read: Type.Object({
    ...common,
    labels: Type.Record(Type.String(), Type.String()),
    tunnels: Type.Array(Ref, { description: 'The tunnels that are online and match, at this moment.' }),
  }),
  modules: [],
  references: [],
  inUse: 'backendInUse',

  parse(input) {
    const labels = checkLabels(input.labels ?? {});
    return { body: { description: input.description ?? '', metadata: input.metadata ?? '', labels } };
  },

  merge({ body: current }, patch) {
    if (patch.labels !== undefined) checkLabels(patch.labels);
    return { body: { ...current, ...patch } };
  },

  show({ account, body: { labels } }, { online, ref }) {
    const tunnels = online.matching(account, new Map(Object.entries(labels)));
    return { labels, tunnels: tunnels.map((tunnel) => ref(tunnel.id)) };
  },
};

/** A group without labels would be every labelled tunnel of the account, so it is refused. */
function checkLabels(labels: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  const entries = Object.entries(labels);
  if (entries.length < 1 || entries.length > maxLabels) {
    const values = { actual: entries.length, limit: maxLabels };
    throw new Problem('groupLabelCount', values, { field: '/labels', limit: maxLabels });
  }
  for (const [key, value] of entries) checkLabel(key, value);
  return labels;
}

function checkLabel(key: string, value: string): void {
  const field = '/labels';
  const keyBytes = Buffer.byteLength(key);
  if (keyBytes < 1 || keyBytes > maxKeyBytes) {
    const values = { value: key.slice(0, maxKeyBytes), actual: keyBytes, limit: maxKeyBytes };
    throw new Problem('groupLabelKey', values, { field, limit: maxKeyBytes });
  }
  const valueBytes = Buffer.byteLength(value);
  if (valueBytes < 1 || valueBytes > maxValueBytes) {
    throw new Problem(
      'groupLabelValue',
      { key, actual: valueBytes, limit: maxValueBytes },
      { field, limit: maxValueBytes },
    );
  }
  if (key.includes('=') || value.includes('=')) throw new Problem('groupLabelEquals', { key }, { field });
}
