/** Commands that users mistake for commands of the agent. */
import { InvalidInput } from './address.ts';

/** First words of commands of the daemon, unless the agent has the same. */
const OF_DAEMON: readonly string[] = [
  ...['serve', 'setup', 'account', 'key', 'restriction', 'console', 'nodes', 'workers'],
  ...['ca', 'backup', 'restore', 'rotate-master-key', 'copy'],
];

const ADDRESS = /^(?:https?:\/\/.+|(?:[\w.-]+:)?\d{1,5})$/;

/** Throws InvalidInput if the first word is an address, or a command of the daemon. */
export function checkFirstWord(word: string): void {
  if (OF_DAEMON.includes(word))
    throw new InvalidInput(
      `There is no command "${word}" here: the daemon has it. Run "underpassd ${word}" where the daemon is.`,
    );
  if (ADDRESS.test(word))
    throw new InvalidInput(
      `There is no command "${word}". Run "underpass http ${word}" to give what listens there a public URL.`,
    );
}
