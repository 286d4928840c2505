/**
 * The types of events for subscriptions (open points, decision 16 and part B 2.1).
 * Invariant: a type is never removed, because a subscription may name it.
 */

/** Stems of the types for created, updated and deleted resources. They are names of types, not of kinds. */
const stems = [
  'api_key',
  'certificate_authority',
  'domain',
  'event_destination',
  'event_subscription',
  'ip_policy',
  'ip_policy_rule',
  'ip_restriction',
  'ssh_certificate_authority',
  'ssh_host_certificate',
  'ssh_public_key',
  'ssh_user_certificate',
  'tcp_address',
  'tls_certificate',
  'tunnel_credential',
] as const;

export type EventStem = (typeof stems)[number];
/** The possible changes of a resource. */
export type AuditVerb = 'created' | 'updated' | 'deleted';

type AuditType = `${EventStem}_${AuditVerb}.v0`;
type SessionType = 'agent_session_start.v0' | 'agent_session_stop.v0';
type TrafficType = 'http_request_complete.v0' | 'tcp_connection_closed.v0';

/** The type of a test event. Subscriptions cannot name it. */
export const TEST_TYPE = 'event_destination_test.v0';

export type EventType = AuditType | SessionType | TrafficType;

export const eventTypes: readonly EventType[] = [
  ...stems.flatMap((stem) => [
    auditType(stem, 'created'),
    auditType(stem, 'updated'),
    auditType(stem, 'deleted'),
  ]),
  'agent_session_start.v0',
  'agent_session_stop.v0',
  'http_request_complete.v0',
  'tcp_connection_closed.v0',
];

export function auditType(stem: EventStem, verb: AuditVerb): EventType {
  return `${stem}_${verb}.v0`;
}
