/** Failover backends: the first child that can be reached answers (specification, section 2.4; open points, decision 12). */
import Type from 'typebox';
import { Problem } from '../../errors/problem.ts';
import { childReference, maxChildren, refuseNesting } from '../child-backends.ts';
import type { StoredKind } from '../definition.ts';
import type { FailoverBackendDocument } from '../documents.ts';
import { body, common, describedWrite, type Input, optional } from '../schema.ts';

const write = body({
  ...describedWrite('backendDescriptionTooLong', 'backendMetadataTooLong'),
  backends: optional(
    Type.Array(Type.String(), {
      description: `Ids of the backends in the order in which they are tried: at least one, at most ${maxChildren}, none of them failover or weighted.`,
    }),
  ),
});

type Fields = Input<typeof write>;

export const failoverBackend: StoredKind<FailoverBackendDocument, Fields, Fields> = {
  source: 'stored',
  name: 'failover_backend',
  prefix: 'bkdfo',
  path: '/backends/failover',
  listKey: 'backends',
  schemaName: 'FailoverBackend',
  summary: 'Failover backends',
  operations: ['create', 'list', 'get', 'update', 'delete'],
  create: write,
  update: write,
  read: Type.Object({
    ...common,
    backends: Type.Array(Type.String(), { description: 'In the order in which they are tried.' }),
  }),
  modules: [],
  references: [childReference('backends.*', 'failoverChildNotBackend')],
  inUse: 'backendInUse',

  parse({ description = '', metadata = '', backends = [] }) {
    return { body: { description, metadata, backends } };
  },

  merge({ body: current }, patch) {
    return { body: { ...current, ...patch } };
  },

  check({ backends }) {
    if (backends.length < 1 || backends.length > maxChildren) {
      const values = { actual: backends.length, limit: maxChildren };
      throw new Problem('failoverChildCount', values, { field: '/backends', limit: maxChildren });
    }
    for (const [index, id] of backends.entries()) {
      const field = `/backends/${index}`;
      refuseNesting(id, 'failoverChildNested', field);
      if (backends.indexOf(id) < index) throw new Problem('failoverChildRepeated', { id }, { field });
    }
  },

  show({ body: { backends } }) {
    return { backends };
  },
};
