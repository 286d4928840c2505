/** Weighted backends: each child answers its share of the traffic (open points, part B 1.13). */
import Type from 'typebox';
import { Problem } from '../../errors/problem.ts';
import { childReference, maxChildren, refuseNesting } from '../child-backends.ts';
import type { StoredKind } from '../definition.ts';
import type { WeightedBackendDocument } from '../documents.ts';
import { pointerStep } from '../pointer.ts';
import { body, common, describedWrite, type Input, optional } from '../schema.ts';

const weight = Type.Integer({ minimum: 0, maximum: 10_000, 'x-error': 'weightInvalid' });

const write = body({
  ...describedWrite('backendDescriptionTooLong', 'backendMetadataTooLong'),
  backends: optional(
    Type.Record(Type.String(), weight, {
      description: `Weights by the id of the backend: at least one that is not 0, at most ${maxChildren}; none of the backends failover or weighted. A backend of weight 0 gets no traffic.`,
    }),
  ),
});

type Fields = Input<typeof write>;

export const weightedBackend: StoredKind<WeightedBackendDocument, Fields, Fields> = {
  source: 'stored',
  name: 'weighted_backend',
  prefix: 'bkdwd',
  path: '/backends/weighted',
  listKey: 'backends',
  schemaName: 'WeightedBackend',
  summary: 'Weighted backends',
  operations: ['create', 'list', 'get', 'update', 'delete'],
  create: write,
  update: write,
  read: Type.Object({
    ...common,
    backends: Type.Record(Type.String(), Type.Integer(), {
      description: 'Weights by the id of the backend.',
    }),
  }),
  modules: [],
  references: [childReference('backends.~', 'weightedChildNotBackend')],
  inUse: 'backendInUse',

  parse({ description = '', metadata = '', backends = {} }) {
    return { body: { description, metadata, backends } };
  },

  merge({ body: current }, patch) {
    return { body: { ...current, ...patch } };
  },

  check({ backends }) {
    const ids = Object.keys(backends);
    if (ids.length < 1 || ids.length > maxChildren) {
      const values = { actual: ids.length, limit: maxChildren };
      throw new Problem('weightedChildCount', values, { field: '/backends', limit: maxChildren });
    }
    for (const id of ids) refuseNesting(id, 'weightedChildNested', `/backends/${pointerStep(id)}`);
    if (Object.values(backends).every((one) => one === 0)) {
      throw new Problem('weightsAllZero', {}, { field: '/backends' });
    }
  },

  show({ body: { backends } }) {
    return { backends };
  },
};
