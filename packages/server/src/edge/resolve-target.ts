/**
 * Decides what an edge does with a connection.
 * In: the documents of an edge and its backend. Out: a target. What may change here: which modules have an effect;
 * never that one without effect lets traffic through.
 */
import type { IpRule } from '../core/ip-rules.ts';
import type { ErrorName } from '../errors/catalogue.ts';
import type {
  HttpResponseBackendDocument,
  TlsEdgeDocument,
  TlsTerminationModule,
  TunnelGroupBackendDocument,
} from '../resources/documents.ts';
import type { StoredDocument } from '../store/store.ts';
import type { Backend, Target, Termination } from './target.ts';

const minVersions = {
  '': 'TLSv1.2',
  '1.0': 'TLSv1',
  '1.1': 'TLSv1.1',
  '1.2': 'TLSv1.2',
  '1.3': 'TLSv1.3',
} as const satisfies Record<TlsTerminationModule['min_version'], Termination['minVersion']>;

/**
 * `backend` is the document that the edge's backend module names; undefined when it is not there. The IP restriction is not
 * looked at here: see `restrictTo`. Pure.
 */
export function resolveTarget(edge: StoredDocument, backend: StoredDocument | undefined): Target {
  const document = edge.body as unknown as TlsEdgeDocument;
  const termination = resolveTermination(edge.id, document.tls_termination);
  const resolved = document.backend?.enabled ? resolveBackend(backend) : null;
  return {
    id: edge.id,
    account: edge.account,
    edgeType: '2',
    termination,
    refusal: refusal(document, termination, resolved),
    backend: resolved,
  };
}

/** The same target, which then serves only what these rules allow; undefined: everybody. */
export function restrictTo(target: Target, sources: readonly IpRule[] | undefined): Target {
  const { sources: _, ...open } = target;
  return sources === undefined ? open : { ...open, sources };
}

/** Open points, A 10: without the module TLS passes through; a module that is off counts as not there. */
function resolveTermination(edgeId: string, module: TlsTerminationModule | null): Termination | null {
  if (!module?.enabled || module.terminate_at !== 'edge') return null;
  const minVersion = minVersions[module.min_version];
  return { key: `${edgeId}/${minVersion}`, minVersion };
}

function refusal(
  edge: TlsEdgeDocument,
  termination: Termination | null,
  backend: Backend | null,
): ErrorName | null {
  if (edge.mutual_tls?.enabled) return 'moduleWithoutEffect';
  if (backend === null) return 'edgeWithoutBackend';
  return backend.kind === 'http_response' && termination === null ? 'fixedResponseNotTerminated' : null;
}

function resolveBackend(document: StoredDocument | undefined): Backend | null {
  if (document?.kind === 'http_response_backend') {
    const { status_code, headers, body } = document.body as unknown as HttpResponseBackendDocument;
    return {
      kind: 'http_response',
      status: status_code,
      headers: Object.entries(headers),
      body: Buffer.from(body, 'utf8'),
    };
  }
  if (document?.kind === 'tunnel_group_backend') {
    const { labels } = document.body as unknown as TunnelGroupBackendDocument;
    return { kind: 'tunnel_group', account: document.account, labels: new Map(Object.entries(labels)) };
  }
  return null;
}
