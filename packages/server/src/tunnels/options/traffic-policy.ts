/**
 * Judges the traffic policy of a tunnel, as YAML, JSON or an object (agent protocol, section 5). An empty one is accepted and has no effect.
 * Invariant: a policy with an action is always refused, because this service would not carry it out.
 */

import { yaml } from '../../core/yaml.ts';
import { Problem } from '../../errors/problem.ts';
import { isObject, shown } from './fields.ts';

/** The phases with rules, today's and the two earlier ones. */
const phases: ReadonlySet<string> = new Set([
  ...['on_tcp_connect', 'on_http_request', 'on_http_response', 'on_event_destination'],
  ...['inbound', 'outbound'],
]);

/** Characters of YAML that are parsed: the time of the parser grows with the square of the keys of one map. */
const mostYaml = 16 * 1024;
/** Each alias is looked up in the whole document. */
const mostAliases = 16;
/** The parser recurses, and a deep document would end the process. */
const mostDepth = 64;

/** Raises Problem: `trafficPolicyInvalid` if `sent` is no policy, `trafficPolicyUnavailable` for the first action. */
export function refuseTrafficPolicy(sent: unknown): void {
  const policy = typeof sent === 'string' ? parsed(sent) : sent;
  if (policy === null || policy === undefined) return;
  if (!isObject(policy)) throw invalid('it is no map of phases');
  for (const [name, rules] of Object.entries(policy)) {
    const phase = name.toLowerCase();
    if (phase === 'enabled' && (rules === null || typeof rules === 'boolean')) continue;
    if (!phases.has(phase)) throw invalid(`"${shown(name)}" is no phase of a policy`);
    if (rules === null) continue;
    if (!Array.isArray(rules)) throw invalid(`${phase} is no list of rules`);
    for (const [index, rule] of rules.entries()) refuseRule(rule, `${phase}[${index}]`);
  }
}

/** Refuses a rule always: if it is well-formed, it has an action. */
function refuseRule(rule: unknown, at: string): never {
  const actions = isObject(rule) ? fieldOf(rule, 'actions') : undefined;
  if (!Array.isArray(actions) || actions.length === 0)
    throw invalid(`${at} is no rule with a list of actions`);
  const [first]: readonly unknown[] = actions;
  const type = isObject(first) ? fieldOf(first, 'type') : undefined;
  if (typeof type !== 'string' || type === '') throw invalid(`${at}.actions[0] has no type`);
  throw new Problem('trafficPolicyUnavailable', { action: shown(type), at: `${at}.actions[0]` });
}

/** Field names count in any case, as everywhere in the protocol. */
function fieldOf(object: object, name: string): unknown {
  return Object.entries(object).find(([key]) => key.toLowerCase() === name)?.[1];
}

function parsed(text: string): unknown {
  if (text.length > mostYaml) return parsedAsJson(text);
  const fault = structureFault(text);
  if (fault !== null) throw invalid(fault);
  try {
    const document = yaml().parseDocument(text, { prettyErrors: false, logLevel: 'error' });
    const [error] = document.errors;
    if (error === undefined) return document.toJS({ maxAliasCount: mostAliases });
    throw error;
  } catch (error) {
    throw invalid((error as Error).message);
  }
}

function parsedAsJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw invalid(`it is no JSON, and YAML can have at most ${mostYaml} characters`);
  }
}

/** A token of the parser, as far as it matters here. */
interface Token {
  readonly type: string;
  readonly value?: unknown;
  readonly items?: readonly { readonly key?: unknown; readonly value?: unknown }[];
}

/** The reason why a text is not handed to the recursive part of the parser; null: it may be. */
function structureFault(text: string): string | null {
  let aliases = 0;
  const waiting: { readonly token: Token; readonly depth: number }[] = [];
  for (const token of new (yaml().Parser)().parse(text)) waiting.push({ token: token as Token, depth: 0 });
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const { token, depth } = next;
    if (depth > mostDepth) return 'it is nested too deeply';
    if (token.type === 'alias' && ++aliases > mostAliases) return 'it has too many aliases';
    const inner = [token.value, ...(token.items ?? []).flatMap(({ key, value }) => [key, value])];
    for (const one of inner) if (isToken(one)) waiting.push({ token: one, depth: depth + 1 });
  }
  return null;
}

function isToken(value: unknown): value is Token {
  return typeof value === 'object' && value !== null && 'type' in value;
}

function invalid(reason: string): Problem {
  return new Problem('trafficPolicyInvalid', { reason: shown(reason) });
}
