/** Operations that list and end logins of visitors. */
import { Type } from '../../core/type.ts';
import { idOf, timestamp } from '../schema.ts';
import type { StandaloneOperation, Topic } from './definition.ts';
import { nextPage, pageParameters } from './pages.ts';

const PREFIX = 'vl';

const topic: Topic = {
  name: 'visitor_logins',
  summary: "Visitors' logins",
  description:
    'Visitors who logged in at a name through the module oidc, oauth or saml, and whose session can last still.',
  group: 'Access by address',
};

const login = Type.Object(
  {
    id: Type.String({ description: 'Identifies the login.' }),
    created_at: timestamp('Time of the login.'),
    ends_at: timestamp('Latest end of the session. The inactivity timeout of the module may end it earlier.'),
    user_id: Type.String({ description: 'The user, as the provider names it.' }),
    email: Type.String({ description: 'E-mail address; "" if the provider states none.' }),
    name: Type.String({ description: 'Name; "" if the provider states none.' }),
    module: Type.Enum(['oidc', 'oauth', 'saml'], { type: 'string', description: 'The module.' }),
    provider: Type.String({ description: 'Issuer or name of the identity provider.' }),
    hostname: Type.String({ description: 'The name at which the visitor logged in.' }),
    resource_id: Type.String({
      description:
        'The resource with the module: a route, an endpoint configuration, or the bind of an agent.',
    }),
    address: Type.String({ description: 'Source address of the login.' }),
  },
  { $id: 'VisitorLogin', description: 'A login of a visitor.' },
);

export const visitorLoginsList: StandaloneOperation = {
  ...{ topic, operation: 'visitor_logins_list', method: 'GET', path: '/visitor_logins', isRead: true },
  summary: "List visitors' logins, newest first",
  query: Type.Object({
    ...pageParameters(idOf([PREFIX], 'Only logins before this one.')),
    user: Type.Optional(
      Type.String({ maxLength: 255, description: 'Only of the user with this id or e-mail address.' }),
    ),
    hostname: Type.Optional(Type.String({ maxLength: 255, description: 'Only at this name.' })),
    resource_id: Type.Optional(Type.String({ maxLength: 255, description: 'Only of this resource.' })),
  }),
  result: {
    schemaName: 'VisitorLoginList',
    read: Type.Object(
      {
        visitor_logins: Type.Array(login, {
          description: 'May be fewer than the limit, also on a page that is not the last.',
        }),
        ...nextPage,
      },
      { description: 'A page of logins.' },
    ),
  },
};

export const visitorLoginsDelete: StandaloneOperation = {
  ...{ topic, operation: 'visitor_logins_delete', method: 'DELETE', path: '/visitor_logins/{id}' },
  summary: "End a visitor's login",
  parameters: { id: 'The id of the login.' },
  prefixes: { id: PREFIX },
  ...{ isRead: false, result: null },
};
