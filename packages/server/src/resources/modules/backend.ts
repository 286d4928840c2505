/** The backend module: what answers the traffic of an edge (specification, section 2.5). */
import { Type } from '../../core/type.ts';
import type { BackendModule } from '../../documents/index.ts';
import { backendPrefixes } from '../child-backends.ts';
import type { Reference, StoredModule } from '../definition.ts';
import { body, enabled, exampleId, type Input, idOf, refTo } from '../schema.ts';

const write = body(
  { enabled, backend_id: idOf(backendPrefixes, 'The backend.') },
  { description: 'The backend that serves visitors.', examples: [{ backend_id: exampleId('bkdhr') }] },
);

export const backendModule = {
  name: 'backend',
  schemaName: 'EndpointBackend',
  summary: 'Backend',
  write,
  read: Type.Object(
    { enabled: Type.Boolean(), backend: refTo('The backend.') },
    { description: 'The backend that serves visitors.' },
  ),
  parse(input) {
    return { enabled: input.enabled ?? true, backend_id: input.backend_id };
  },
  show({ enabled, backend_id }, { ref }) {
    return { enabled, backend: ref(backend_id) };
  },
} as const satisfies StoredModule<BackendModule, Input<typeof write>>;

export const backendReference: Reference = {
  field: 'backend.backend_id',
  prefixes: backendPrefixes,
  wrongPrefix: 'notBackendId',
  unknown: 'backendUnknown',
  binding: true,
};
