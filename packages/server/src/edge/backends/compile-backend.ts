/** Makes a backend from its document: the one list of the kinds of backends that carry traffic. */
import type { StoredDocument } from '../../documents/index.ts';
import type { Backend } from '../sites/site.ts';
import type { BackendContext } from './backend-context.ts';
import { failoverBackend } from './failover-backend.ts';
import { httpResponseBackend } from './http-response-backend.ts';
import { staticBackend } from './static-backend.ts';
import { tunnelGroupBackend } from './tunnel-group-backend.ts';
import { weightedBackend } from './weighted-backend.ts';

export type BackendDocument = StoredDocument<
  | 'http_response_backend'
  | 'tunnel_group_backend'
  | 'failover_backend'
  | 'weighted_backend'
  | 'static_backend'
>;

export function compileBackend(document: BackendDocument, context: BackendContext): Backend {
  switch (document.kind) {
    case 'http_response_backend':
      return httpResponseBackend(document);
    case 'tunnel_group_backend':
      return tunnelGroupBackend(document, context);
    case 'failover_backend':
      return failoverBackend(document, context);
    case 'weighted_backend':
      return weightedBackend(document, context);
    case 'static_backend':
      return staticBackend(document, context);
    default:
      return document satisfies never;
  }
}
