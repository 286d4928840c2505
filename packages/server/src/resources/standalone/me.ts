/** `GET /me`: the caller, as the API sees it. */
import { Type } from '../../core/type.ts';
import { nullable, Ref } from '../schema.ts';
import type { StandaloneOperation, Topic } from './definition.ts';

const topic: Topic = {
  name: 'me',
  summary: 'Own access',
  description: 'The caller of a request: its user, role, key or console session, and limits.',
  group: 'Users',
};

const account = Type.Object(
  { id: Type.String(), name: Type.String({ description: 'Name of the account; may be empty.' }) },
  { description: 'The account of the caller.' },
);

const user = Type.Object(
  {
    id: Type.String({ description: 'Id of the user or bot user.' }),
    uri: Type.String(),
    name: Type.String(),
    email: Type.String({ description: 'E-mail address; empty for none, and for a bot user.' }),
  },
  { description: 'The user or bot user that owns the key or the session.' },
);

const session = Type.Object(
  {
    id: Type.String(),
    uri: Type.String(),
    expires_at: Type.String({ description: 'Latest end of the session.' }),
  },
  { description: 'The console session of the request; null if it has an API key.' },
);

const rateLimit = Type.Object(
  {
    limit: Type.Integer({ description: 'Requests in any 60 seconds; 0 for no limit.' }),
    remaining: nullable(
      Type.Integer({ description: 'Requests that are left at the moment; null without a limit.' }),
    ),
    scope: Type.Enum(['account', 'console'], {
      type: 'string',
      description:
        'The counted requests: those of the account by API keys, or those of the user by console sessions.',
    }),
  },
  { description: 'The rate limit that the request counts for.' },
);

export const meGet: StandaloneOperation = {
  topic,
  operation: 'me_get',
  method: 'GET',
  path: '/me',
  summary: 'Get the caller',
  isRead: true,
  result: {
    schemaName: 'Caller',
    read: Type.Object({
      uri: Type.String(),
      account,
      user,
      role: Type.Enum(['admin', 'member', 'viewer'], {
        type: 'string',
        description: 'The role of the user. A viewer only reads. Bot users are members.',
      }),
      api_key: nullable(Ref),
      session: nullable(session),
      address: Type.String({ description: 'The address that the request came from.' }),
      rate_limit: rateLimit,
      version: Type.String({ description: 'The version of the daemon.' }),
    }),
  },
};
