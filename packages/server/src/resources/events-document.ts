/**
 * Writes docs/build/events.md from the kinds with events and an example of each.
 * Invariant: every type has a section.
 */
import { type EventType, eventTypes } from '../core/event-types.ts';
import type { ResourceKind, StoredKind } from './definition.ts';

/** Texts of the document beside the types. */
export interface EventTexts {
  /** Markdown that comes first. */
  readonly intro: string;
  /** JSON of an event: by the stem of those about resources, else by the type without its version. */
  readonly examples: ReadonlyMap<string, string>;
}

/** Descriptions of the types without a resource. */
const others: Readonly<Partial<Record<EventType, string>>> = {
  'agent_session_start.v0': 'An agent has come online.',
  'agent_session_stop.v0':
    'An agent has gone. `error` has the reason. With PostgreSQL, the events of a daemon that died come from its next start, or from another daemon when it knows of the death. With SQLite, or with `--alone`, no events come.',
  'http_request_complete.v0':
    "A visitor's request has ended, also one with a response of the edge itself. Modules with a decision have a field each with a `decision`, such as `ip_policy`, `circuit_breaker` and `user_agent_filter`. `basic_auth` has the `username` that the visitor sent, admitted or not. `oauth`, `oidc` and `saml` have a `user`, null without a login, and `app_client_id`, the application at the provider. Values that would let a reader act as the visitor are `[hidden]`: `Authorization`, cookies, and responses of providers. `conn.ja4` is the JA4 fingerprint of the ClientHello, empty without one. `status_code` 0: the visitor got no response.",
  'tcp_connection_closed.v0': 'A connection of a TCP or TLS edge or tunnel has ended.',
};

export function eventsMarkdown(kinds: readonly ResourceKind[], { intro, examples }: EventTexts): string {
  const stored = kinds.filter((kind): kind is StoredKind => kind.source === 'stored');
  const sections = [
    ...stored.flatMap((kind) => (kind.eventStem === null ? [] : [ofKind(kind, kind.eventStem, examples)])),
    ...Object.entries(others).map(([type, meaning]) => section(type, meaning, [type], examples)),
  ];
  const text = [intro, ...sections].join('\n');
  const missing = eventTypes.find((type) => !text.includes(`\`${type}\``));
  if (missing !== undefined) throw new Error(`events of the type ${missing} are not described`);
  return text;
}

function ofKind(
  { summary, one, path, name }: StoredKind,
  stem: string,
  examples: EventTexts['examples'],
): string {
  const types = eventTypes.filter((type) => isOf(type, stem));
  const meaning = `Creation, change and deletion of ${one} through the API. \`object\` is what \`GET ${path}/{id}\` answers, as it was before for a deletion.`;
  const more = name === 'event_subscription' ? ' Its sources are a part of it.' : '';
  return section(summary, `${meaning}${more}`, types, examples, stem);
}

/** `ip_policy_rule_created.v0` is no event of an IP policy. */
function isOf(type: EventType, stem: string): boolean {
  return ['created', 'updated', 'deleted'].some((verb) => type === `${stem}_${verb}.v0`);
}

function section(
  title: string,
  meaning: string,
  types: readonly string[],
  examples: EventTexts['examples'],
  name = title.replace(/\.v0$/, ''),
): string {
  const example = examples.get(name);
  if (example === undefined) throw new Error(`there is no example of ${name} in docs/build/events`);
  const list = types.map((type) => `\`${type}\``).join(', ');
  return `\n## ${title}\n\n${list}\n\n${meaning}\n\n\`\`\`json\n${example.trimEnd()}\n\`\`\`\n`;
}
