/** Users with their roles, and bot users. */
import type { BotUser, User } from '@underpass/client';
import { announce } from '@underpass/ui/announce.tsx';
import { attempt } from '@underpass/ui/attempt.ts';
import { dateTime } from '@underpass/ui/format.ts';
import type { Column } from '@underpass/ui/table.tsx';
import { invalidate } from '../api/cache.ts';
import { send } from '../api/http.ts';
import { useList } from '../api/list.ts';
import { mayWrite } from '../api/session.ts';
import { href } from '../router.ts';
import { Head } from './parts.tsx';
import { Rows } from './rows.tsx';

const ROLES = ['admin', 'member', 'viewer'] as const;

const STATE: readonly Column<Pick<BotUser, 'active' | 'created_at'>>[] = [
  { name: 'State', width: '6em', cell: (row) => (row.active ? 'active' : 'stopped') },
  { name: 'Created', width: '13em', cell: (row) => dateTime(row.created_at), isWide: true },
];

const USER_COLUMNS: readonly Column<User>[] = [
  { name: 'Name', width: 'minmax(0, 2fr)', cell: (row) => row.name || row.email || row.id },
  { name: 'E-mail', width: 'minmax(0, 2fr)', cell: (row) => row.email || '—', isWide: true },
  { name: 'Role', width: '8em', cell: (row) => <Role user={row} /> },
  ...STATE,
];

const BOT_COLUMNS: readonly Column<BotUser>[] = [
  { name: 'Name', width: 'minmax(0, 2fr)', cell: (row) => row.name || row.id },
  ...STATE,
];

export function Users() {
  const list = useList<User>('/users?limit=100');
  return (
    <>
      <Head title="Users">{mayWrite() && <New kind="user">New user</New>}</Head>
      <Rows
        {...{ list, label: 'Users', columns: USER_COLUMNS }}
        nothing="There are no users yet."
        command="underpass api users create --help"
        hrefOf={(row) => href(['resources', 'user', row.id])}
      />
    </>
  );
}

export function BotUsers() {
  const list = useList<BotUser>('/bot_users?limit=100');
  return (
    <>
      <Head title="Bot users">{mayWrite() && <New kind="bot_user">New bot user</New>}</Head>
      <Rows
        {...{ list, label: 'Bot users', columns: BOT_COLUMNS }}
        nothing="There are no bot users yet."
        command="underpass api bot-users create --help"
        hrefOf={(row) => href(['resources', 'bot_user', row.id])}
      />
    </>
  );
}

function New({ kind, children }: { readonly kind: string; readonly children: string }) {
  return (
    <a class="button primary" href={href(['resources', kind, 'new'])}>
      {children}
    </a>
  );
}

/** The API refuses a change by members. The list shows the stored role again. */
function Role({ user }: { readonly user: User }) {
  if (!mayWrite()) return user.role;
  const name = user.name || user.email || user.id;
  const change = (role: string) =>
    attempt(async () => {
      try {
        await send({ method: 'PATCH', path: `/users/${user.id}`, body: { role } });
        announce(`${name} is now ${role}`);
      } finally {
        invalidate('/users');
      }
    });
  return (
    <select
      class="above small"
      aria-label={`Role of ${name}`}
      value={user.role}
      onChange={(event) => {
        const { value } = event.currentTarget;
        event.currentTarget.value = user.role;
        void change(value);
      }}
    >
      {ROLES.map((role) => (
        <option key={role} value={role}>
          {role}
        </option>
      ))}
    </select>
  );
}
