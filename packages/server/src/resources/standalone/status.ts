/** Defines `GET /status`: the state of the service, and all warnings of an account. */
import { Type } from '../../core/type.ts';
import type { StandaloneOperation, Topic } from './definition.ts';
import { WarningSchema } from './warning.ts';

/** Warnings in one response. */
export const STATUS_WARNINGS = 1000;

const topic: Topic = {
  name: 'status',
  summary: 'Status',
  description:
    'The state of the service as an account may know it: version, daemons, database, and what is configured without effect.',
  group: 'Traffic and status',
};

const Node = Type.Object(
  {
    name: Type.String({ description: 'Name of the daemon; "" for one without a name.' }),
    region: Type.String({ description: 'Region of the daemon.' }),
    version: Type.String({ description: 'Version of the daemon.' }),
    state: Type.Enum(['ready', 'not_ready', 'draining', 'unreachable'], {
      type: 'string',
      description:
        '`draining`: its agents go to other daemons. `unreachable`: this daemon has no link to it at the moment.',
    }),
    reasons: Type.Array(Type.String(), {
      description:
        'Names of the reasons against traffic, for the daemon that answers: see docs/run/metrics.md.',
    }),
  },
  { $id: 'StatusNode' },
);

/** `GET /status`. */
export const statusGet: StandaloneOperation = {
  ...{ topic, operation: 'status_get', method: 'GET', path: '/status' },
  summary: 'Get the state of the service and all warnings of the account',
  result: {
    schemaName: 'ServiceStatus',
    read: Type.Object({
      version: Type.String({ description: 'Version of the daemon that answers.' }),
      database: Type.Enum(['available', 'away', 'writes_refused'], {
        type: 'string',
        description: 'State of the database, as the daemon that answers finds it.',
      }),
      nodes: Type.Array(Node, { description: 'Daemons of the service, the one that answers first.' }),
      warnings: Type.Array(WarningSchema, {
        description: `Warnings, the most urgent first, at most ${STATUS_WARNINGS}.`,
      }),
      warning_count: Type.Integer({ description: 'Number of all warnings.' }),
    }),
  },
  isRead: true,
};
