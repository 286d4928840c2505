/**
 * Formats responses to operators as text for people.
 * Invariant: a text shows a secret only if its command returns one.
 */
import type { JsonObject } from '../store/store.ts';
import { consoleLinkText } from './console-link.ts';
import { drainText } from './drain-node.ts';
import { nodesTable } from './nodes.ts';
import type { OperatorRequest } from './requests.ts';

/** An answer as people read it. */
export function render(request: OperatorRequest, answer: JsonObject): string {
  switch (request.operation) {
    case 'create-account':
      return [
        `account     ${answer.account_id}  ${answer.name}`,
        `admin user  ${answer.user_id}`,
        `API key     ${answer.api_key}`,
        `authtoken   ${answer.authtoken}`,
        'The last two are secrets and not shown again.',
      ].join('\n');
    case 'list-accounts':
      return (answer.accounts as { id: string; name: string; created_at: string }[])
        .map(({ id, name, created_at }) => `${id}  ${created_at}  ${name}`)
        .join('\n');
    case 'create-key':
      return `API key  ${answer.id}\nowner    ${answer.owner_id}\ntoken    ${answer.token}\nThe token is a secret and not shown again.`;
    case 'revoke-key':
      return `revoked  ${answer.id}  of ${answer.account_id}`;
    case 'backup':
      return renderBackup(request.directory, answer);
    case 'rotate-master-key':
      return renderRotation(answer);
    case 'list-nodes':
      return nodesTable(answer);
    case 'drain-node':
      return drainText(answer);
    case 'console-link':
      return consoleLinkText(answer);
    case 'lift-restriction':
      return `no longer enforced  ${(answer.ids as string[]).join(', ')}  of ${answer.account_id}`;
  }
}

function renderBackup(directory: string, { documents, secrets, files, master_key }: JsonObject): string {
  const lines = [
    `backed up ${documents} documents and ${secrets} secrets to ${directory}`,
    `files  ${(files as string[]).join(', ')}`,
  ];
  if (master_key === 'environment')
    lines.push('The master key is NOT among them: it comes from UNDERPASS_MASTER_KEY. Keep it, too.');
  else
    lines.push(
      'The master key and the first API key are among them: keep the directory as secret as the data dir.',
    );
  return lines.join('\n');
}

function renderRotation({ secrets, dropped }: JsonObject): string {
  const done = `sealed ${secrets} secrets under the new master key`;
  return dropped === true
    ? `${done}; the old one leaves master.key as soon as nothing can need it any more. Make a backup: older ones need the old key, which is in them.`
    : `${done}; take the old one away from every daemon, and restart them.`;
}
