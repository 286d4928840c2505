/** Operations about the console: links that sign in, and sessions. */
import { Type } from '../../core/type.ts';
import { body, idOf, nullable, Ref } from '../schema.ts';
import type { StandaloneOperation, Topic } from './definition.ts';
import { pageParameters } from './pages.ts';

const SESSION_PREFIX = 'cs';

const topic: Topic = {
  name: 'console',
  summary: 'Console',
  description: 'Links that sign a browser in to the console, and the sessions of browsers.',
  group: 'Console',
};

const Session = Type.Object(
  {
    id: Type.String(),
    uri: Type.String(),
    owner_id: Type.String({ description: 'The user or bot user that is signed in.' }),
    api_key: nullable(Ref),
    created_at: Type.String({ description: 'Time of the sign-in.' }),
    expires_at: Type.String({ description: 'The latest end. Without a request it ends after 12 hours.' }),
    last_used_at: Type.String({ description: 'Time of the last use, to the minute.' }),
    address: Type.String({ description: 'The address of the sign-in.' }),
    last_address: Type.String({ description: 'The address of the last use.' }),
    user_agent: Type.String({ description: 'The browser as it named itself at the sign-in.' }),
    is_current: Type.Boolean({ description: 'True for the session of this request.' }),
  },
  { $id: 'ConsoleSession', description: 'A browser that is signed in to the console.' },
);

export const consoleLinkCreate: StandaloneOperation = {
  ...{ topic, operation: 'console_link_create', method: 'POST', path: '/console/links' },
  summary: 'Create a link that signs in to the console',
  // It gives its caller no more than the caller has.
  ...{ isRead: false, isForViewers: true },
  body: { schemaName: 'ConsoleLinkCreate', write: body({}, { examples: [{}] }) },
  result: {
    schemaName: 'ConsoleLink',
    read: Type.Object({
      url: Type.String({
        description:
          'The URL to open in a browser. It signs in once, as the owner of the key, and is a secret.',
      }),
      expires_at: Type.String({ description: 'The URL signs in until then: for 10 minutes.' }),
    }),
  },
};

export const consoleSessionsList: StandaloneOperation = {
  ...{ topic, operation: 'console_sessions_list', method: 'GET', path: '/console/sessions' },
  ...{ summary: 'List the sessions of the console', isRead: true },
  query: Type.Object(pageParameters(idOf([SESSION_PREFIX], 'Only sessions that began before this one.'))),
  result: {
    schemaName: 'ConsoleSessionList',
    read: Type.Object({
      console_sessions: Type.Array(Session, {
        description: 'Sessions that last, newest first. Members and viewers get their own.',
      }),
      uri: Type.String(),
      next_page_uri: nullable(Type.String()),
    }),
  },
};

export const consoleSessionsDelete: StandaloneOperation = {
  ...{ topic, operation: 'console_sessions_delete', method: 'DELETE', path: '/console/sessions/{id}' },
  summary: 'End a session of the console',
  parameters: { id: 'The id of the session.' },
  prefixes: { id: SESSION_PREFIX },
  ...{ isRead: false, isForViewers: true, result: null },
};
