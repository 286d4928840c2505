/**
 * Decides what an edge does with a connection.
 * In: the documents of an edge and its backend. Out: a target. What may change here: which modules have an effect;
 * never that one without effect lets traffic through.
 */
import type { IpRule } from '../core/ip-rules.ts';
import type { StoredDocument, TlsEdgeDocument, TlsTerminationModule } from '../documents/index.ts';
import type { ErrorName } from '../errors/catalogue.ts';
import type { Backend, Target, Termination } from './target.ts';

const minVersions = {
  '': 'TLSv1.2',
  '1.0': 'TLSv1',
  '1.1': 'TLSv1.1',
  '1.2': 'TLSv1.2',
  '1.3': 'TLSv1.3',
} as const satisfies Record<TlsTerminationModule['min_version'], Termination['minVersion']>;

export type StoredEdge = StoredDocument<'tls_edge' | 'https_edge'>;
export type StoredBackend = StoredDocument<
  | 'http_response_backend'
  | 'tunnel_group_backend'
  | 'failover_backend'
  | 'weighted_backend'
  | 'static_backend'
>;

/**
 * `backend` is the document that the edge's backend module names; undefined when it is not there. The IP restriction is not
 * looked at here: see `restrictTo`. Pure.
 */
export function resolveTarget(edge: StoredEdge, backend: StoredBackend | undefined): Target {
  return edge.kind === 'https_edge' ? resolveHttpsEdge(edge) : resolveTlsEdge(edge, backend);
}

function resolveTlsEdge(edge: StoredDocument<'tls_edge'>, backend: StoredBackend | undefined): Target {
  const document = edge.body;
  const termination = resolveTermination(edge.id, document.tls_termination);
  const chosen = document.backend?.enabled ? backend : undefined;
  const resolved = resolveBackend(chosen);
  return {
    id: edge.id,
    account: edge.account,
    edgeType: '2',
    termination,
    refusal: refusal(document, termination, chosen, resolved),
    backend: resolved,
  };
}

/** Routes have no effect yet. A visitor is told so, under TLS as the edge wants it. */
function resolveHttpsEdge(edge: StoredDocument<'https_edge'>): Target {
  const { tls_termination } = edge.body;
  const minVersion = minVersions[tls_termination?.enabled ? tls_termination.min_version : ''];
  return {
    id: edge.id,
    account: edge.account,
    edgeType: '3',
    termination: terminationFor(edge.id, minVersion),
    refusal: 'httpsEdgeWithoutEffect',
    backend: null,
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
  return terminationFor(edgeId, minVersions[module.min_version]);
}

function terminationFor(edgeId: string, minVersion: Termination['minVersion']): Termination {
  return { key: `${edgeId}/${minVersion}`, minVersion };
}

function refusal(
  edge: TlsEdgeDocument,
  termination: Termination | null,
  chosen: StoredBackend | undefined,
  backend: Backend | null,
): ErrorName | null {
  if (edge.mutual_tls?.enabled) return 'moduleWithoutEffect';
  if (chosen === undefined) return 'edgeWithoutBackend';
  // Failover, weighted, static: there, but they come to nothing yet.
  if (backend === null) return 'backendWithoutEffect';
  return backend.kind === 'http_response' && termination === null ? 'fixedResponseNotTerminated' : null;
}

function resolveBackend(document: StoredBackend | undefined): Backend | null {
  if (document?.kind === 'http_response_backend') {
    const { status_code, headers, body } = document.body;
    return {
      kind: 'http_response',
      status: status_code,
      headers: Object.entries(headers),
      body: Buffer.from(body, 'utf8'),
    };
  }
  if (document?.kind === 'tunnel_group_backend') {
    const { labels } = document.body;
    return { kind: 'tunnel_group', account: document.account, labels: new Map(Object.entries(labels)) };
  }
  return null;
}
