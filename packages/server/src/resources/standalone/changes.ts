/** The operation that lists the audit trail. */
import { Type } from '../../core/type.ts';
import { actorTypes, CHANGE_DAYS, CHANGE_PREFIX, MOST_CHANGES } from '../change-entry.ts';
import { patterns } from '../patterns.ts';
import { idOf, nullable, timestamp } from '../schema.ts';
import type { StandaloneOperation, Topic } from './definition.ts';
import { nextPage, pageParameters } from './pages.ts';

const topic: Topic = {
  name: 'changes',
  summary: 'Changes',
  description: `The audit trail: each change of a resource with its actor, and the old and the new fields. An entry is written together with its change, and stays ${CHANGE_DAYS} days.`,
  group: 'Traffic and status',
};

const value = (description: string) =>
  nullable(
    Type.String({
      description: `${description} A text as it is, others as JSON; a long one is cut. null: unset, or a secret.`,
    }),
  );

const field = Type.Object(
  {
    field: Type.String({ description: 'Path of the field, with dots: "tls_termination.min_version".' }),
    old: value('The former value.'),
    new: value('The new value.'),
    is_secret: Type.Boolean({ description: 'true: only the fact of the change is known.' }),
  },
  { $id: 'ChangedField', description: 'A field that differs.' },
);

const actor = Type.Object(
  {
    type: Type.Enum([...actorTypes], {
      type: 'string',
      description:
        '"operator": a command on the machine of the daemon. "daemon": the service itself, such as a renewal of a certificate.',
    }),
    user_id: Type.String({ description: 'The user or bot user; "" for others.' }),
    name: Type.String({ description: 'E-mail of a user, or the name of one without; name of a bot user.' }),
    credential_id: Type.String({ description: 'The API key; "" for none.' }),
    address: Type.String({ description: 'Source address of the request; "" for none.' }),
  },
  { $id: 'ChangeActor', description: 'The cause of a change.' },
);

const change = Type.Object(
  {
    id: Type.String({ description: 'Never changes, and is never given to anything else.' }),
    created_at: timestamp('Time of the change.'),
    revision: Type.Integer({ description: 'Revision of the database that has it.' }),
    actor,
    operation: Type.String({ description: 'Name of the operation, such as "reserved_domain_update".' }),
    operation_id: Type.String({ description: 'Id of the request, as in errors and logs; "" for none.' }),
    kind: Type.String({ description: 'Kind of the resource, such as "reserved_domain".' }),
    resource_id: Type.String({ description: 'Id of the resource.' }),
    resource_uri: Type.String({ description: 'URL of the resource; "" for one without a URL.' }),
    action: Type.String({ description: '"created", "updated", "deleted", or the name of an action.' }),
    fields: Type.Array(field, { description: 'Fields that differ; those of a new resource that are set.' }),
    fields_left_out: Type.Integer({ description: 'Number of fields without room in the entry.' }),
  },
  { $id: 'Change', description: 'A change of a resource.' },
);

const time = (description: string) =>
  Type.Optional(Type.String({ format: 'date-time', pattern: patterns.time, description }));
const word = (description: string) => Type.Optional(Type.String({ maxLength: 64, description }));

export const changesList: StandaloneOperation = {
  ...{ topic, operation: 'changes_list', method: 'GET', path: '/changes', isRead: true },
  summary: 'List changes, newest first',
  query: Type.Object({
    ...pageParameters(idOf([CHANGE_PREFIX], 'Only changes before this one.')),
    kind: word('Only of this kind, such as "reserved_domain".'),
    resource_id: word('Only of this resource.'),
    actor_id: word('Only by this user, bot user or API key.'),
    actor_type: Type.Optional(
      Type.Enum([...actorTypes], { type: 'string', description: 'Only by actors of this type.' }),
    ),
    action: word('Only with this action, such as "deleted".'),
    since: time('Only at this time or later. RFC 3339.'),
    until: time('Only before this time. RFC 3339.'),
  }),
  result: {
    schemaName: 'ChangeList',
    read: Type.Object(
      {
        changes: Type.Array(change, {
          description: 'May be fewer than the limit, also on a page that is not the last.',
        }),
        ...nextPage,
      },
      {
        description: `A page of the audit trail. An account has the last ${MOST_CHANGES} changes, of at most ${CHANGE_DAYS} days.`,
      },
    ),
  },
};
