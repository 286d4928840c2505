/** Weighted backends: each child answers its share of the traffic (open points, part B 1.13). */
import { Type } from '../../core/type.ts';
import type { WeightedBackendDocument } from '../../documents/index.ts';
import { childReference, childrenOfWeighted, maxChildren, refuseNesting } from '../child-backends.ts';
import type { StoredKind } from '../definition.ts';
import { pointerStep } from '../pointer.ts';
import { body, common, describedWrite, exampleId, type Input, idOf, optional, required } from '../schema.ts';

const weight = Type.Integer({
  minimum: 0,
  maximum: 10_000,
  'x-error': 'weightInvalid',
  description: 'A weight.',
});

const described = describedWrite('backendDescriptionTooLong', 'backendMetadataTooLong');
const backends = required(
  Type.Record(Type.String(), weight, {
    propertyNames: idOf(childrenOfWeighted.prefixes, 'A backend.'),
    minProperties: 1,
    maxProperties: maxChildren,
    'x-error': 'weightedChildCount',
    description: `Weights by the id of the backend: at least one, at most ${maxChildren}; none of the backends failover or weighted. A backend of weight 0 gets no traffic; when all have that, nothing is served.`,
  }),
  'weightedChildCount',
);

const examples = [{ backends: { [exampleId('bkdhr')]: 1 } }];

const create = body({ ...described, backends }, { examples });
const update = body({ ...described, backends: optional(backends) }, { examples });

export const weightedBackend: StoredKind<
  WeightedBackendDocument,
  Input<typeof create>,
  Input<typeof update>
> = {
  source: 'stored',
  name: 'weighted_backend',
  eventStem: null,
  prefix: 'bkdwd',
  path: '/backends/weighted',
  listKey: 'backends',
  schemaName: 'WeightedBackend',
  summary: 'Weighted backends',
  description: 'Backends with weights: each answers its share of the traffic.',
  group: 'Backends',
  one: 'a weighted backend',
  operations: ['create', 'list', 'get', 'update', 'delete'],
  create,
  update,
  read: Type.Object({
    ...common,
    backends: Type.Record(Type.String(), Type.Integer(), {
      description: 'Weights by the id of the backend.',
    }),
  }),
  modules: [],
  references: [childReference('backends.~', childrenOfWeighted)],
  inUse: 'backendInUse',

  parse({ description = '', metadata = '', backends }) {
    return { body: { description, metadata, backends } };
  },

  merge({ body: current }, patch) {
    return { body: { ...current, ...patch } };
  },

  check({ backends }) {
    for (const id of Object.keys(backends))
      refuseNesting(id, childrenOfWeighted, `/backends/${pointerStep(id)}`);
  },

  show({ body: { backends } }) {
    return { backends };
  },
};
