/**
 * Compiles a backend from its document.
 * Invariant: every kind of backend has a line here, which the compiler checks.
 */
import type { DocumentOfKind } from '../../documents/index.ts';
import type { ExplainedBackend } from '../sites/site.ts';
import type { BackendKind } from '../sites/site-documents.ts';
import type { BackendContext } from './backend-context.ts';
import { failoverBackend } from './failover-backend.ts';
import { httpResponseBackend } from './http-response-backend.ts';
import { staticBackend } from './static-backend.ts';
import { tunnelGroupBackend } from './tunnel-group-backend.ts';
import { weightedBackend } from './weighted-backend.ts';

const compilers: {
  readonly [Kind in BackendKind]: (
    document: DocumentOfKind<Kind>,
    context: BackendContext,
  ) => ExplainedBackend;
} = {
  http_response_backend: httpResponseBackend,
  tunnel_group_backend: tunnelGroupBackend,
  failover_backend: failoverBackend,
  weighted_backend: weightedBackend,
  static_backend: staticBackend,
};

export const backendKinds = Object.keys(compilers) as readonly BackendKind[];

export function compileBackend<Kind extends BackendKind>(
  document: DocumentOfKind<Kind>,
  context: BackendContext,
): ExplainedBackend {
  return compilers[document.kind](document, context);
}
