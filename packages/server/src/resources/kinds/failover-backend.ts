/** Failover backends: the first child that can be reached answers (specification, section 2.4; open points, decision 12). */
import { Type } from '../../core/type.ts';
import type { FailoverBackendDocument } from '../../documents/index.ts';
import { Problem } from '../../errors/problem.ts';
import { childReference, childrenOfFailover, maxChildren, refuseNesting } from '../child-backends.ts';
import type { StoredKind } from '../definition.ts';
import { body, common, describedWrite, exampleId, type Input, idOf, optional, required } from '../schema.ts';

const described = describedWrite('backendDescriptionTooLong', 'backendMetadataTooLong');
const backends = required(
  Type.Array(idOf(childrenOfFailover.prefixes, 'A backend.'), {
    minItems: 1,
    maxItems: maxChildren,
    uniqueItems: true,
    'x-error': 'failoverChildCount',
    description: `The backends, in the order in which they are tried: at least one, at most ${maxChildren}, none of them failover.`,
  }),
  'failoverChildCount',
);

const examples = [{ backends: [exampleId('bkdhr')] }];

const create = body({ ...described, backends }, { examples });
const update = body({ ...described, backends: optional(backends) }, { examples });

export const failoverBackend: StoredKind<
  FailoverBackendDocument,
  Input<typeof create>,
  Input<typeof update>
> = {
  source: 'stored',
  name: 'failover_backend',
  eventStem: null,
  prefix: 'bkdfo',
  path: '/backends/failover',
  listKey: 'backends',
  schemaName: 'FailoverBackend',
  summary: 'Failover backends',
  description: 'Backends in an order: the first one that can be reached answers.',
  group: 'Backends',
  one: 'a failover backend',
  operations: ['create', 'list', 'get', 'update', 'delete'],
  create,
  update,
  read: Type.Object({
    ...common,
    backends: Type.Array(Type.String(), {
      description: 'The backends, in the order in which they are tried.',
    }),
  }),
  modules: [],
  references: [childReference('backends.*', childrenOfFailover)],
  inUse: 'backendInUse',

  parse({ description = '', metadata = '', backends }) {
    return { body: { description, metadata, backends } };
  },

  merge({ body: current }, patch) {
    return { body: { ...current, ...patch } };
  },

  check({ backends }) {
    for (const [index, id] of backends.entries()) {
      const field = `/backends/${index}`;
      refuseNesting(id, childrenOfFailover, field);
      if (backends.indexOf(id) < index) throw new Problem('failoverChildRepeated', { id }, { field });
    }
  },

  show({ body: { backends } }) {
    return { backends };
  },
};
