/** The command that a mistyped first word may mean. */
import { mostSimilar } from '@underpass/wire/similar';

/** First words of commands of the agent, which users mistake for commands of the daemon. */
export const OF_AGENT: readonly string[] = [
  ...['http', 'file', 'tls', 'tcp', 'start', 'config', 'login', 'diagnose', 'dashboard'],
  ...['service', 'explain', 'status', 'logs', 'api'],
];

/** Returns words for the end of a sentence; '' if no command is near. `names`: all commands of the daemon. */
export function meantBy(word: string, names: readonly string[]): string {
  if (OF_AGENT.includes(word)) return `: the agent has it, as ${JSON.stringify(`underpass ${word}`)}`;
  const near = mostSimilar(
    word,
    names.map((name) => firstOf(name)),
  );
  const meant = names.filter((name) => firstOf(name) === near).map((name) => `"${name}"`);
  return meant.length === 0 ? '' : ` (Did you mean ${meant.join(' or ')}?)`;
}

function firstOf(name: string): string {
  return name.split(' ')[0] as string;
}
