/** Users: the people of an account (open points, decision 14; the specification names only the prefix). */
import { Type } from '../../core/type.ts';
import type { UserDocument } from '../../documents/index.ts';
import { Problem } from '../../errors/problem.ts';
import type { StoredKind } from '../definition.ts';
import { checkEmail } from '../email.ts';
import { adminBeside, isActiveAdmin } from '../last-admin.ts';
import { patterns } from '../patterns.ts';
import { body, choice, common, type Input, notBlank, optional, required, text } from '../schema.ts';
import { nameOf } from '../scoped-names.ts';
import { userClaims } from '../user-claims.ts';

const name = notBlank(text(255, 'userNameTooLong', 'The name of the user.'));
const rest = {
  email: optional(
    Type.String({
      pattern: patterns.email,
      default: '',
      description: 'The mail address: unique in the account, whatever its case; "" for none.',
    }),
  ),
  role: optional(
    choice(
      ['admin', 'member', 'viewer'],
      'userRoleInvalid',
      'Role of the user: an admin may manage users, and resources of other users. A viewer only reads: its API keys and its console sessions change nothing.',
      {
        default: 'member',
      },
    ),
  ),
  active: optional(
    Type.Boolean({ default: true, description: 'false stops their API keys and credentials at once.' }),
  ),
};

const create = body(
  { name: required(name, 'userNameMissing'), ...rest },
  { examples: [{ name: 'Ada Lovelace', email: 'ada@example.com' }] },
);
const update = body({ name: optional(name), ...rest }, { examples: [{ name: 'Ada King' }] });

export const user: StoredKind<UserDocument, Input<typeof create>, Input<typeof update>> = {
  source: 'stored',
  name: 'user',
  eventStem: null,
  prefix: 'usr',
  path: '/users',
  listKey: 'users',
  schemaName: 'User',
  summary: 'Users',
  description: 'A person who owns API keys and credentials.',
  group: 'Users',
  one: 'a user',
  operations: ['create', 'list', 'get', 'update', 'delete'],
  create,
  update,
  read: Type.Object({
    id: common.id,
    uri: common.uri,
    name: Type.String(),
    email: Type.String(),
    role: Type.String(),
    active: Type.Boolean(),
    created_at: common.created_at,
  }),
  modules: [],
  references: [],
  adminsOnly: 'userAdminsOnly',
  inUse: 'userInUse',

  parse({ name, email = '', role = 'member', active = true }) {
    return { body: { name: name.trim(), email, role, active } };
  },

  merge({ body: current }, { name = current.name, ...patch }) {
    return { body: { ...current, ...patch, name: name.trim() } };
  },

  check({ name, email }) {
    if (name === '') throw new Problem('userNameMissing', {}, { field: '/name' });
    checkEmail(email);
  },

  /** If the account loses an admin, the write depends on another one. */
  async guard({ before, after }, { principal, store }) {
    if (after === null && before?.id === principal.owner)
      throw new Problem('userDeletesThemselves', { id: principal.owner });
    if (before === null || !isActiveAdmin(before.body) || (after !== null && isActiveAdmin(after))) return [];
    return [await adminBeside(store, { account: principal.account, id: before.id })];
  },

  claims: userClaims,

  taken(claim) {
    return new Problem('userEmailTaken', { value: nameOf(claim) }, { field: '/email' });
  },

  show({ body: { name, email, role, active } }) {
    return { name, email, role, active };
  },
};
