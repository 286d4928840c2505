/** Tunnel group backends: the tunnels that carry a set of labels (specification, section 2.3). */

import { labelLimits } from '../../core/names/label-limits.ts';
import { Type } from '../../core/type.ts';
import type { TunnelGroupBackendDocument } from '../../documents/index.ts';
import { Problem } from '../../errors/problem.ts';
import type { StoredKind } from '../definition.ts';
import { patterns } from '../patterns.ts';
import { body, common, describedWrite, type Input, optional, Ref, required } from '../schema.ts';

const { count: maxLabels, keyBytes: maxKeyBytes, valueBytes: maxValueBytes } = labelLimits;

const described = describedWrite('backendDescriptionTooLong', 'backendMetadataTooLong');
/** The error names the limits of keys and values in bytes, with the key. */
const labelPart = Type.String({ pattern: patterns.labelPart, description: 'A value.' });
/** A group without labels would be every labelled tunnel of the account, so there is at least one. */
const labels = required(
  Type.Record(Type.String(), labelPart, {
    propertyNames: labelPart,
    minProperties: 1,
    maxProperties: maxLabels,
    'x-error': 'groupLabelCount',
    description: 'Labels, at least one. A tunnel belongs to the group when it carries every one of them.',
  }),
  'groupLabelCount',
);

const create = body({ ...described, labels }, { examples: [{ labels: { app: 'web' } }] });
const update = body(
  { ...described, labels: optional(labels) },
  { examples: [{ labels: { app: 'web', stage: 'production' } }] },
);

export const tunnelGroupBackend: StoredKind<
  TunnelGroupBackendDocument,
  Input<typeof create>,
  Input<typeof update>
> = {
  source: 'stored',
  name: 'tunnel_group_backend',
  eventStem: null,
  prefix: 'bkdtg',
  path: '/backends/tunnel_group',
  listKey: 'backends',
  schemaName: 'TunnelGroupBackend',
  summary: 'Tunnel group backends',
  description: 'All tunnels that carry certain labels. Traffic goes to one of those that are online.',
  group: 'Backends',
  one: 'a tunnel group backend',
  operations: ['create', 'list', 'get', 'update', 'delete'],
  create,
  update,
  read: Type.Object({
    ...common,
    labels: Type.Record(Type.String(), Type.String()),
    tunnels: Type.Array(Ref, { description: 'The tunnels that are online and match, at this moment.' }),
  }),
  modules: [],
  references: [],
  inUse: 'backendInUse',

  parse(input) {
    const labels = checkLabels(input.labels);
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

function checkLabels(labels: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  for (const [key, value] of Object.entries(labels)) checkLabel(key, value);
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
