/** Describes for the log from which attributes a user's groups were read, for operators whose users are in none of the authorized groups. */
import { quoted } from './refused.ts';

/** Names in one line of the log, and their characters: the line passes through the visitor's browser, sealed. */
const mostNames = 16;
const mostName = 80;

/** Entra sends this claim instead of the groups if a user is in more than 150 of them. */
const overage = /\/claims\/groups\.link$/i;

/** `sent`: the names of all attributes of the assertion. `configured`: the module's `group_attributes`. */
export function sourceOfGroups(sent: readonly string[], configured: readonly string[]): string {
  const from = configured.length === 0 ? 'the usual attributes' : `the attributes ${listOf(configured)}`;
  const came = sent.length === 0 ? 'no attributes' : `the attributes ${listOf(sent)}`;
  const source = `groups are read from ${from}, and the assertion has ${came}`;
  if (!sent.some((name) => overage.test(name))) return source;
  return `${source}; groups.link stands for groups that are too many to send: have the provider send only those that are assigned to the application`;
}

function listOf(names: readonly string[]): string {
  const shown = names.slice(0, mostNames).map((name) => quoted(name.slice(0, mostName)));
  const more = names.length - shown.length;
  return more === 0 ? shown.join(', ') : `${shown.join(', ')} and ${more} more`;
}
