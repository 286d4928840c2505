/** Names of the users and bot users that own keys and credentials. */
import type { BotUser, User } from '@underpass/client';
import { useList } from '../api/list.ts';
import { href } from '../router.ts';

/** Names by id. An owner beyond the first hundred is shown by its id. */
export function useOwners(): ReadonlyMap<string, string> {
  const users = useList<User>('/users?limit=100');
  const bots = useList<BotUser>('/bot_users?limit=100');
  return new Map([
    ...users.rows.map(({ id, name, email }) => [id, name || email] as const),
    ...bots.rows.map(({ id, name }) => [id, name] as const),
  ]);
}

export function Owner({ id, owners }: { readonly id: string; readonly owners: ReadonlyMap<string, string> }) {
  return (
    <a class="above" href={href(['id', id])}>
      {owners.get(id) || id}
    </a>
  );
}
