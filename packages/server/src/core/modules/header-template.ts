/**
 * Templates of header values, with `${.name}` for a property of the request (open points, B 2.4 and 4.8).
 * Invariant: the edge can fill in every name, which the compiler checks.
 */

const ofRequests = [
  'basic_auth.decision',
  'basic_auth.username',
  'circuit_breaker.decision',
  'conn.client_ip',
  'conn.client_port',
  'conn.server_ip',
  'conn.server_name',
  'conn.server_port',
  'conn.start_ts',
  'http.request.method',
  'http.request.url.host',
  'http.request.url.path',
  'http.request.url.query',
  'http.request.url.raw',
  'http.request.url.scheme',
  'http.request.user_agent',
  'http.request_id',
  'ip_policy.decision',
  'oauth.app_client_id',
  'oauth.decision',
  'oauth.user.id',
  'oauth.user.name',
  'oidc.app_client_id',
  'oidc.decision',
  'oidc.user.id',
  'oidc.user.name',
  'saml.decision',
  'saml.user.id',
  'saml.user.name',
  'tls.cipher_suite',
  'tls.client_cert.serial_number',
  'tls.client_cert.subject.cn',
  'tls.version',
  'user_agent_filter.decision',
] as const;

/** Variables that need a response. */
const ofAnswers = [
  'backend.connection_reused',
  'compression.algorithm',
  'http.response.status_code',
  'webhook_verification.decision',
] as const;

export type HeaderVariable = (typeof ofRequests)[number] | (typeof ofAnswers)[number];

/** Variables of request headers. */
export const requestVariables: readonly HeaderVariable[] = ofRequests;
/** Variables of response headers. */
export const answerVariables: readonly HeaderVariable[] = [...ofRequests, ...ofAnswers].toSorted();

/** Literal text, or the name of a variable. */
export type TemplatePart = { readonly text: string } | { readonly name: string };

const opening = '${.';

/** Returns the parts of a value in order; null if a `${.` is not closed. Other dollars and braces are text. */
export function parseTemplate(value: string): readonly TemplatePart[] | null {
  const parts: TemplatePart[] = [];
  let at = 0;
  for (;;) {
    const start = value.indexOf(opening, at);
    const text = start === -1 ? value.slice(at) : value.slice(at, start);
    if (text !== '') parts.push({ text });
    if (start === -1) return parts;
    const end = value.indexOf('}', start);
    if (end === -1) return null;
    parts.push({ name: value.slice(start + opening.length, end) });
    at = end + 1;
  }
}
