/** Commands that users mistake for commands of the agent. */
import { InvalidInput } from './address.ts';
import { kebab } from './api/names.ts';

/** First words of commands of the daemon, unless the agent has the same. */
export const OF_DAEMON: readonly string[] = [
  ...['serve', 'setup', 'account', 'key', 'restriction', 'console', 'nodes', 'workers'],
  ...['ca', 'backup', 'restore', 'rotate-master-key', 'copy'],
];

const ADDRESS = /^(?:https?:\/\/.+|(?:[\w.-]+:)?\d{1,5})$/;

/**
 * Rejects with InvalidInput if the first word is an address, a command of the daemon, or a resource of the API.
 * `known`: the commands of the agent.
 */
export async function checkFirstWord(word: string, known: readonly string[]): Promise<void> {
  if (word === '' || word.startsWith('-') || known.includes(word)) return;
  if (OF_DAEMON.includes(word))
    throw new InvalidInput(
      `There is no command "${word}" here: the daemon has it. Run ${JSON.stringify(`underpassd ${word}`)} where the daemon is.`,
    );
  if (ADDRESS.test(word))
    throw new InvalidInput(
      `There is no command "${word}". Run "underpass http ${word}" to give what listens there a public URL.`,
    );
  // A large table, which correct commands do not wait for.
  const { resourceTables } = await import('@underpass/client/operations');
  if (resourceTables.some(({ name }) => kebab(name) === word))
    throw new InvalidInput(`There is no command "${word}", but a resource. Run "underpass api ${word}".`);
}
