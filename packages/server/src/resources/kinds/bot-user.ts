/** Bot users: owners of keys and credentials that are no person (open points, decision 14 and part B 1.4). */
import { Type } from '../../core/type.ts';
import type { BotUserDocument } from '../../documents/index.ts';
import { Problem } from '../../errors/problem.ts';
import { botUserIds } from '../bot-user-ids.ts';
import type { StoredKind } from '../definition.ts';
import { patterns } from '../patterns.ts';
import { body, common, type Input, optional, required, text } from '../schema.ts';
import { nameOf, nameWithin } from '../scoped-names.ts';

const name = text(255, 'botNameTooLong', 'Its purpose. Unique in the account.', {
  pattern: patterns.name,
});
const active = optional(
  Type.Boolean({ default: true, description: 'false stops its API keys and credentials at once.' }),
);

const create = body({ name: required(name, 'botNameMissing'), active }, { examples: [{ name: 'deploy' }] });
const update = body({ name: optional(name), active }, { examples: [{ active: false }] });

export const botUser: StoredKind<BotUserDocument, Input<typeof create>, Input<typeof update>> = {
  source: 'stored',
  name: 'bot_user',
  eventStem: null,
  ...botUserIds,
  path: '/bot_users',
  listKey: 'bot_users',
  schemaName: 'BotUser',
  summary: 'Bot users',
  description: 'An owner of API keys and credentials that is no person.',
  group: 'Users',
  one: 'a bot user',
  operations: ['create', 'list', 'get', 'update', 'delete'],
  create,
  update,
  read: Type.Object({
    id: common.id,
    uri: common.uri,
    name: Type.String(),
    active: Type.Boolean(),
    created_at: common.created_at,
  }),
  modules: [],
  references: [],
  adminsOnly: 'botAdminsOnly',
  inUse: 'botInUse',

  parse({ name, active = true }) {
    return { body: { name: name.trim(), active } };
  },

  merge({ body: current }, { name = current.name, active = current.active }) {
    return { body: { ...current, name: name.trim(), active } };
  },

  check({ name }) {
    if (name === '') throw new Problem('botNameMissing', {}, { field: '/name' });
    // The name is a key of the store, and not every database holds such text as a key.
    if (/[\p{Cc}\p{Cs}]/u.test(name)) throw new Problem('botNameCharacter', {}, { field: '/name' });
  },

  claims({ name }, account) {
    return [nameWithin(account, 'bot_user_name', name)];
  },

  taken(claim) {
    return new Problem('botNameTaken', { value: nameOf(claim) }, { field: '/name' });
  },

  show({ body: { name, active } }) {
    return { name, active };
  },
};
