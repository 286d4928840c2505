/** `POST /explain`: the decision of the edge about a request, and its reasons. */
import { Type } from '../../core/type.ts';
import { patterns } from '../patterns.ts';
import { body, choice, type Input, multiline, optional, text } from '../schema.ts';
import type { StandaloneOperation, Topic } from './definition.ts';

const topic: Topic = {
  name: 'explain',
  summary: 'Explain',
  description:
    'The decision of the edge about a request that is only described, step by step. Nothing is sent to a backend.',
  group: 'Traffic and status',
};

const MOST_HEADERS = 100;

/** Modules that a question may leave out. A test compares them with the modules of routes. */
export const explainedModules = [
  ...['account_ip_restriction', 'mutual_tls', 'ip_restriction', 'user_agent_filter', 'basic_auth'],
  ...['webhook_verification', 'circuit_breaker', 'saml', 'oidc', 'oauth', 'websocket_tcp_converter'],
  ...['request_headers', 'response_headers', 'compression'],
] as const;

const write = body(
  {
    url: text(8192, 'explainTooLong', 'The URL: `https://`, `http://`, `tls://`, `tcp://`, or `host:port`.', {
      minLength: 1,
    }),
    method: optional(
      text(32, 'explainTooLong', 'The method of the request.', { minLength: 1, default: 'GET' }),
    ),
    headers: optional(
      Type.Record(Type.String(), text(8192, 'explainTooLong', 'A value.'), {
        propertyNames: { type: 'string', pattern: patterns.headerName },
        maxProperties: MOST_HEADERS,
        'x-error': 'explainHeaderCount',
        description:
          'Header fields of the request. Others are not sent, except Host, which comes from the URL.',
      }),
    ),
    without: optional(
      Type.Array(
        choice(
          [...explainedModules],
          'explainModuleUnknown',
          'Name of a module, as it is in the field `step` of an explanation.',
        ),
        {
          maxItems: explainedModules.length,
          default: [],
          description: 'Modules that count as passed, to see the decision with them turned off.',
        },
      ),
    ),
    client_ip: text(64, 'explainTooLong', 'The IP address of the visitor.', { minLength: 1 }),
    client_certificate: optional(
      multiline(
        text(
          65_536,
          'explainTooLong',
          'The certificate of the visitor in PEM, followed by those between it and an authority.',
        ),
      ),
    ),
  },
  { examples: [{ url: 'https://app.example.com/admin', client_ip: '203.0.113.9' }] },
);

export type ExplainFields = Input<typeof write>;

const step = Type.Object(
  {
    step: Type.String({
      description:
        'The step: `listener`, `name`, `tls`, `request`, `route`, `backend`, the name of a module, and a few others.',
    }),
    outcome: Type.Enum(['passed', 'refused', 'answered', 'skipped', 'not_reached'], {
      type: 'string',
      description:
        'The result. `answered`: the step responds itself, such as with a redirect to a login. `skipped`: it does not decide.',
    }),
    resource: Type.String({ description: 'Id of the resource that decides; empty for none.' }),
    error_code: Type.String({ description: 'Error code that the visitor gets; empty for none.' }),
    why: Type.String({ description: 'The reason in plain sentences.' }),
  },
  { $id: 'ExplanationStep' },
);

export const explainRequest: StandaloneOperation = {
  topic,
  operation: 'explain_request',
  method: 'POST',
  path: '/explain',
  summary: 'Explain the decision about a request',
  isRead: true,
  body: { schemaName: 'ExplanationRequest', write },
  result: {
    schemaName: 'Explanation',
    read: Type.Object({
      outcome: Type.Enum(['served', 'refused', 'redirected'], {
        type: 'string',
        description: 'The result for the visitor.',
      }),
      status_code: Type.Integer({
        description:
          'Status of a response of the service itself. 0: the backend or an identity provider decides, or there is no HTTP response.',
      }),
      error_code: Type.String({ description: 'Error code of a refusal; empty for none.' }),
      steps: Type.Array(step, { description: 'The steps in their order.' }),
    }),
  },
};
