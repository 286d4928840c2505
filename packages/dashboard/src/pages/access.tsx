/** Access: credentials, keys, users, IP policies and sessions, each a part with its own address. */
import { Empty } from '@underpass/ui/states.tsx';
import { ApiKeys } from '../access/api-keys.tsx';
import { Credentials } from '../access/credentials.tsx';
import { IpPolicies } from '../access/ip-policies.tsx';
import { IpPolicyPage } from '../access/ip-policy.tsx';
import { Logins } from '../access/logins.tsx';
import { Sessions } from '../access/sessions.tsx';
import { BotUsers, Users } from '../access/users.tsx';
import type { PageProps } from '../page.ts';
import { path } from '../router.ts';

export default function Access({ params, title }: PageProps) {
  const { policy } = params;
  if (policy !== undefined) return <IpPolicyPage key={policy} id={policy} />;
  switch (path.value) {
    case 'access':
      return <Credentials key="credential" kind="credential" title={title} />;
    case 'access/ssh-credentials':
      return <Credentials key="ssh_credential" kind="ssh_credential" title={title} />;
    case 'access/api-keys':
      return <ApiKeys />;
    case 'access/users':
      return <Users />;
    case 'access/bot-users':
      return <BotUsers />;
    case 'access/ip-policies':
      return <IpPolicies />;
    case 'access/logins':
      return <Logins />;
    case 'access/sessions':
      return <Sessions />;
    default:
      return <Empty title="Access has no such part." />;
  }
}
