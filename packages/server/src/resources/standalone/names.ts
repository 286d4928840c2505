/** `GET /names`: every name and address of an account in one list, with what serves and protects it. */
import { Type } from '../../core/type.ts';
import { nullable, refTo } from '../schema.ts';
import type { StandaloneOperation, Topic } from './definition.ts';
import { nextPage } from './pages.ts';

/** Names on one page. */
const MOST_NAMES = 1_000;

const topic: Topic = {
  name: 'names',
  summary: 'Names',
  description:
    'Every name and address of an account in one list: of edges, of agents, and reservations that nothing serves.',
  group: 'Traffic and status',
};

const text = (description: string) => Type.String({ description });

export const Name = Type.Object(
  {
    name: text('The name, a wildcard, or an address such as "1.tcp.example.com:20000".'),
    url: text('URL for visitors. A wildcard has its name in it.'),
    served_by: Type.Enum(['edge', 'agent', 'nothing'], {
      type: 'string',
      description: 'The kind of what answers at the name.',
    }),
    state: Type.Enum(['served', 'no_agent', 'no_backend', 'refused'], {
      type: 'string',
      description:
        '`no_agent`: no agent is online for it. `no_backend`: the edge has no enabled backend. `refused`: the configuration cannot take effect.',
    }),
    kind: text('Kind of the resource that serves it: an edge, an endpoint, or the reservation.'),
    resource: refTo('The resource that serves it.'),
    reservation: nullable(refTo('The reserved domain or address; null for none.')),
    agents: Type.Integer({ description: 'Tunnels that are online under exactly this name.' }),
    forwards_to: text('Address behind the first agent; empty for an edge.'),
    modules: Type.Array(Type.String(), { description: 'Enabled modules of all routes, each once.' }),
    protected_by: Type.Array(Type.String(), {
      description:
        'Modules that keep visitors out, on any route; `protection` states if that is all routes. `account_ip_restriction` is an enforced IP restriction of the account. Empty: everybody is served.',
    }),
    protection: Type.Enum(['all', 'some', 'none'], {
      type: 'string',
      description:
        'Routes that have a module of `protected_by`. `some`: everybody is served on at least one other route.',
    }),
  },
  { $id: 'NameEntry', description: 'A name or an address.' },
);

export const namesList: StandaloneOperation = {
  ...{ topic, operation: 'names_list', method: 'GET', path: '/names', isRead: true },
  summary: 'List names and addresses',
  query: Type.Object({
    limit: Type.Optional(
      Type.Integer({
        ...{ minimum: 1, maximum: MOST_NAMES, default: 100 },
        description: 'Largest number on a page.',
      }),
    ),
    after: Type.Optional(
      Type.String({ maxLength: 300, description: 'Only names after this one, in the order of the list.' }),
    ),
    name: Type.Optional(Type.String({ maxLength: 300, description: 'Only this name or address.' })),
    filter: Type.Optional(
      Type.String({ description: 'Selects names, such as `served_by = agent and state = served`.' }),
    ),
    q: Type.Optional(Type.String({ description: 'Only names with this text in one of their fields.' })),
  }),
  result: {
    schemaName: 'NameList',
    read: Type.Object({
      names: Type.Array(Name, {
        description: 'Sorted by name. May be fewer than the limit, also on a page that is not the last.',
      }),
      ...nextPage,
    }),
  },
};
