/** The values of variables in header templates. An unknown value is an empty text. */
import { ipOf, portOf } from '../../core/ip/client-address.ts';
import type { HeaderVariable } from '../../core/modules/header-template.ts';
import { schemeOf } from '../sites/facts.ts';
import { requestIdOf } from '../sites/request-id.ts';
import type { AnswerFacts, RequestFacts, Visitor } from '../sites/site.ts';

export interface Variable {
  /** True if the variable reads the request's head, which is then copied. */
  readonly readsRequest: boolean;
  of(request: RequestFacts, answer: AnswerFacts | null): string;
}

/** A variable that does not read the request's head. */
function known(of: Variable['of']): Variable {
  return { readsRequest: false, of };
}

function fromHead(of: (request: RequestFacts) => string): Variable {
  return { readsRequest: true, of };
}

function decision(module: string, otherwise = ''): Variable {
  return known(({ decisions }) => decisions.get(module) ?? otherwise);
}

/** A variable of the visitor that a module admitted. Unproven identities are not shown. */
function user(module: string, of: (visitor: Visitor) => string): Variable {
  return fromHead((request) => {
    const visitor = request.admittedBy(module);
    return visitor === null ? '' : of(visitor);
  });
}

const table: { readonly [Name in HeaderVariable]: Variable } = {
  'backend.connection_reused': known((_request, answer) => (answer === null ? '' : String(answer.isReused))),
  'basic_auth.decision': decision('basic_auth'),
  'basic_auth.username': user('basic_auth', ({ id }) => id),
  'circuit_breaker.decision': decision('circuit_breaker'),
  'compression.algorithm': decision('compression', 'none'),
  'conn.client_ip': known(({ connection }) => ipOf(connection.clientAddr)),
  'conn.client_port': known(({ connection }) => portOf(connection.clientAddr)),
  'conn.server_ip': known(({ connection }) => ipOf(connection.serverAddr)),
  'conn.server_name': known(({ connection }) => connection.serverName ?? ''),
  'conn.server_port': known(({ connection }) => portOf(connection.serverAddr)),
  'conn.start_ts': known(({ connection }) => connection.startedAt.toISOString()),
  'http.request.method': fromHead(({ method }) => method),
  'http.request.url.host': fromHead(hostOf),
  'http.request.url.path': fromHead((request) => urlOf(request).path),
  'http.request.url.query': fromHead((request) => urlOf(request).query),
  'http.request.url.raw': fromHead(
    (request) => `${schemeOf(request.connection)}://${hostOf(request)}${originOf(request)}`,
  ),
  'http.request.url.scheme': known(({ connection }) => schemeOf(connection)),
  'http.request.user_agent': fromHead((request) => decoded(request.values('user-agent')[0] ?? '')),
  'http.request_id': fromHead(requestIdOf),
  'http.response.status_code': known((_request, answer) => (answer === null ? '' : String(answer.status))),
  'ip_policy.decision': decision('ip_restriction'),
  'oauth.app_client_id': user('oauth', ({ clientId }) => clientId),
  'oauth.decision': decision('oauth'),
  'oauth.user.id': user('oauth', ({ id }) => id),
  'oauth.user.name': user('oauth', ({ name }) => name),
  'oidc.app_client_id': user('oidc', ({ clientId }) => clientId),
  'oidc.decision': decision('oidc'),
  'oidc.user.id': user('oidc', ({ id }) => id),
  'oidc.user.name': user('oidc', ({ name }) => name),
  'saml.decision': decision('saml'),
  'saml.user.id': user('saml', ({ id }) => id),
  'saml.user.name': user('saml', ({ name }) => name),
  'tls.cipher_suite': known(({ connection }) => connection.tls?.cipher ?? ''),
  'tls.client_cert.serial_number': known(
    ({ connection }) => connection.tls?.clientCertificate?.serialNumber ?? '',
  ),
  'tls.client_cert.subject.cn': known(
    ({ connection }) => connection.tls?.clientCertificate?.commonName ?? '',
  ),
  'tls.version': known(({ connection }) => connection.tls?.version ?? ''),
  'user_agent_filter.decision': decision('user_agent_filter'),
  'webhook_verification.decision': decision('webhook_verification'),
};

export const variables: ReadonlyMap<string, Variable> = new Map(Object.entries(table));

function hostOf(request: RequestFacts): string {
  return decoded(request.values('host')[0] ?? '');
}

/** Returns the target from its slash on, also if it is in absolute form. */
function originOf({ target }: RequestFacts): string {
  const origin = decoded(target).replace(/^[a-z][a-z0-9+.-]*:\/\/[^/?]*/i, '');
  return origin.startsWith('?') || origin === '' ? `/${origin}` : origin;
}

function urlOf(request: RequestFacts): { readonly path: string; readonly query: string } {
  const origin = originOf(request);
  const at = origin.indexOf('?');
  return at === -1 ? { path: origin, query: '' } : { path: origin.slice(0, at), query: origin.slice(at + 1) };
}

/** Heads are read one character a byte; header lines are written from text. */
export function decoded(bytes: string): string {
  return Buffer.from(bytes, 'latin1').toString();
}
