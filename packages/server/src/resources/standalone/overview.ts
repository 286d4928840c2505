/** Defines `GET /overview`: the state of an account in one response. */
import { Type } from '../../core/type.ts';
import { nullable } from '../schema.ts';
import type { StandaloneOperation, Topic } from './definition.ts';
import { WarningSchema } from './warning.ts';

/** Warnings in the overview. */
export const OVERVIEW_WARNINGS = 20;

const topic: Topic = {
  name: 'overview',
  summary: 'Overview',
  description: 'The state of an account in one response: warnings first, then counts and figures of traffic.',
  group: 'Traffic and status',
};

const count = (description: string) => Type.Integer({ description });

const Counts = Type.Object(
  {
    names: count('Names and addresses that are reserved or online, each counted once.'),
    agents: count('Agents that are online. Several connections of one agent count once.'),
    sessions: count('Connections of agents.'),
    tunnels: count('Tunnels that are online.'),
    edges: count('Edges of all kinds.'),
    reserved_domains: count('Reserved domains.'),
    reserved_addrs: count('Reserved addresses.'),
    tls_certificates: count('TLS certificates, uploaded and issued.'),
    event_destinations: count('Event destinations.'),
  },
  { $id: 'OverviewCounts' },
);

const Figures = Type.Object(
  {
    requests: count('Requests and connections.'),
    errors: count('Responses with a status of 500 or above, and requests without a response.'),
    bytes_in: count('Bytes from visitors.'),
    bytes_out: count('Bytes to visitors.'),
    p50_ms: nullable(Type.Number({ description: 'Median of the duration in milliseconds.' })),
    p95_ms: nullable(Type.Number({ description: 'Duration in milliseconds that 95 % do not exceed.' })),
  },
  { $id: 'OverviewFigures' },
);

/** Name and schema of the result of `GET /overview`. */
export const accountOverview = {
  schemaName: 'AccountOverview',
  read: Type.Object({
    warnings: Type.Array(WarningSchema, {
      description: `The most urgent warnings, at most ${OVERVIEW_WARNINGS}. \`GET /status\` has all.`,
    }),
    warning_count: count('Number of all warnings.'),
    counts: Counts,
    last_minute: nullable(Figures),
    last_hour: nullable(Figures),
    last_hour_requests: nullable(
      Type.Array(Type.Integer(), {
        description: 'Requests and connections of each minute of the last hour; the running one is the last.',
      }),
    ),
    as_of: Type.String({ description: 'Time of the response. It may be repeated for a second or more.' }),
  }),
};

/** `GET /overview`. */
export const overviewGet: StandaloneOperation = {
  ...{ topic, operation: 'overview_get', method: 'GET', path: '/overview' },
  summary: 'Get warnings, counts and figures of the account',
  result: accountOverview,
  isRead: true,
};
