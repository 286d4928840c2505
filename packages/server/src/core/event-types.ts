/**
 * The types of events that can be subscribed to (open points, decision 16 and part B 2.1). Never that a type goes which a
 * subscription may name.
 */

/** What is created, updated and deleted; named as the types are, not as the kinds of resources. */
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
/** What can happen to a resource. */
export type AuditVerb = 'created' | 'updated' | 'deleted';

type AuditType = `${EventStem}_${AuditVerb}.v0`;
type SessionType = 'agent_session_start.v0' | 'agent_session_stop.v0';
type TrafficType = 'http_request_complete.v0' | 'tcp_connection_closed.v0';

/** Of an event that is sent when somebody asks whether it arrives: nobody subscribes to it. */
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
