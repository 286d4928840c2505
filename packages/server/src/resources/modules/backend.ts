/** The backend module: what answers the traffic of an edge (specification, section 2.5). */
import Type from 'typebox';
import type { Reference, StoredModule } from '../definition.ts';
import type { BackendModule } from '../documents.ts';
import { body, enabled, type Input, idOf, Ref } from '../schema.ts';

const prefixes = ['bkdhr', 'bkdtg', 'bkdfo', 'bkdwd', 'bkdsc'];

const write = body({ enabled, backend_id: idOf(prefixes) });

export const backendModule = {
  name: 'backend',
  schemaName: 'EndpointBackend',
  summary: 'Backend',
  write,
  read: Type.Object({ enabled: Type.Boolean(), backend: Ref }),
  parse(input) {
    return { enabled: input.enabled ?? true, backend_id: input.backend_id };
  },
  show({ enabled, backend_id }, { ref }) {
    return { enabled, backend: ref(backend_id) };
  },
} as const satisfies StoredModule<BackendModule, Input<typeof write>>;

export const backendReference: Reference = {
  field: 'backend.backend_id',
  prefixes,
  wrongPrefix: 'notBackendId',
  unknown: 'backendUnknown',
  binding: true,
};
