/** Finds the warnings of an account in its facts. Pure. */
import { codesInOrder, type WarningCode, type WarningFacts } from '../../resources/standalone/warning.ts';
import type { AccountFacts } from './inventory.ts';

/** The world around the facts. */
export interface WarningContext {
  /** Milliseconds since 1970. */
  readonly now: number;
  /** Returns true if a tunnel serves the name or the address (`host:port`), or a name below a wildcard. */
  readonly isOnline: (name: string) => boolean;
  /** Returns true if a tunnel of the account has all labels. */
  readonly hasTunnel: (labels: ReadonlyMap<string, string>) => boolean;
  /** The service obtains certificates. */
  readonly hasAuthority: boolean;
  /** Custom names are served with a proof only. */
  readonly requiresProof: boolean;
}

const DAY_MS = 86_400_000;
/** Time before the end of a certificate that nothing renews. */
const UPLOADED_MS = 21 * DAY_MS;
/** A managed certificate is renewed long before. */
const MANAGED_MS = 7 * DAY_MS;
/** Failed attempts in a row from which a target counts as failing. */
const FAILING_ATTEMPTS = 3;

/** Returns the warnings, the most urgent first. */
export function warningsOf(facts: AccountFacts, context: WarningContext): readonly WarningFacts[] {
  const found = [
    ...certificateWarnings(facts, context),
    ...nameWarnings(facts, context),
    ...edgeWarnings(facts, context),
    ...eventWarnings(facts),
    ...restrictionWarnings(facts),
  ];
  return inOrder(found);
}

export function inOrder(warnings: readonly WarningFacts[]): readonly WarningFacts[] {
  const rank = new Map(codesInOrder.map((code, at) => [code, at]));
  return warnings.toSorted((one, other) => rank.get(one.code)! - rank.get(other.code)!);
}

/** Kind and id of a resource, and the id of its parent. */
type Place = readonly [kind: string, id: string, parent?: string];
type Found = Generator<WarningFacts, void, undefined>;

function warning(
  code: WarningCode,
  [kind, id, parent = '']: Place,
  [name, msg, remedy]: readonly [name: string, msg: string, remedy: string],
): WarningFacts {
  return { code, resource: { kind, id, parent }, name, msg, remedy };
}

function* certificateWarnings(facts: AccountFacts, { now, hasAuthority }: WarningContext): Found {
  const used = new Set<string>();
  for (const [id, { name, certificate, managed }] of facts.reserved_domain) {
    const here = ['reserved_domain', id] as const;
    if (certificate !== null) used.add(certificate);
    if (managed?.failure != null) {
      const { code, msg } = managed.failure;
      const remedy =
        code === 'DNS_ERROR'
          ? `Correct the DNS of ${name}: the proof of the reserved domain lists the records.`
          : 'Wait for the next attempt. If it fails as well, report it to the operator of the service.';
      yield warning('certificate_failed', here, [name, `The certificate of ${name} failed: ${msg}`, remedy]);
    }
    if (managed !== null && !hasAuthority)
      yield warning('certificate_without_authority', here, [
        ...([name, `The service does not obtain the certificate of ${name}: it has no authority.`] as const),
        'Upload a certificate. The operator can set --acme-directory instead.',
      ]);
    const end = certificate === null ? undefined : facts.tls_certificate.get(certificate)?.notAfter;
    if (end === undefined || end - now > (managed === null ? UPLOADED_MS : MANAGED_MS)) continue;
    const isOver = end <= now;
    const remedy =
      managed === null
        ? `Upload a new certificate for ${name}, or let the service obtain one.`
        : 'Read the reason in certificate_management_status of the reserved domain.';
    const when = isOver ? 'has ended' : `ends in ${daysUntil(end, now)}`;
    const code = isOver ? 'certificate_ended' : 'certificate_ends';
    yield warning(code, here, [name, `The certificate of ${name} ${when}.`, remedy]);
  }
  for (const [id, { name }] of facts.tls_certificate)
    if (!used.has(id))
      yield warning(
        'certificate_unused',
        ['tls_certificate', id],
        [
          ...([name, `No reserved domain uses this certificate for ${name}.`] as const),
          'Set it as certificate_id of a reserved domain, or delete it.',
        ],
      );
}

function daysUntil(end: number, now: number): string {
  const days = Math.floor((end - now) / DAY_MS);
  return days === 0 ? 'less than a day' : days === 1 ? '1 day' : `${days} days`;
}

function* nameWarnings(facts: AccountFacts, { isOnline, requiresProof }: WarningContext): Found {
  const byEdge = new Set(Array.from(facts.edge.values(), ({ reservations }) => reservations).flat());
  const unproven = new Set<string>();
  for (const { domain, isProven } of facts.domain_proof.values()) if (!isProven) unproven.add(domain);
  for (const [id, { name, isCustom }] of facts.reserved_domain) {
    const here = ['reserved_domain', id] as const;
    if (requiresProof && isCustom && unproven.has(id))
      yield warning('domain_not_proven', here, [
        ...([name, `${name} is not served: its DNS does not show that it belongs to this account.`] as const),
        'Make one of the records that the proof of the reserved domain lists.',
      ]);
    if (!byEdge.has(id) && !isOnline(name)) yield withoutAgent(here, name);
  }
  for (const [id, { name }] of facts.reserved_addr)
    if (!byEdge.has(id) && !isOnline(name)) yield withoutAgent(['reserved_addr', id], name);
}

function withoutAgent(resource: Place, name: string): WarningFacts {
  return warning('name_without_agent', resource, [
    ...([name, `Neither an agent nor an edge serves ${name}.`] as const),
    'Start an agent for it, make an edge with it, or delete the reservation.',
  ]);
}

function* edgeWarnings(facts: AccountFacts, context: WarningContext): Found {
  const routed = new Set<string>();
  for (const [id, { edge, match, backend }] of facts.https_edge_route) {
    routed.add(edge);
    const here = ['https_edge_route', id, edge] as const;
    const name = `${facts.edge.get(edge)?.names[0] ?? ''}${match}`;
    if (backend === null)
      yield warning('route_without_backend', here, [
        ...([
          name,
          `The route ${match} has no backend that is enabled, so it answers with an error.`,
        ] as const),
        'Set the backend of the route, and enable it.',
      ]);
    else yield* groupWarnings(facts, context, here, name, backend);
  }
  for (const [id, { kind, names, backend }] of facts.edge) {
    const here = [kind, id] as const;
    const name = names[0] ?? '';
    if (names.length === 0)
      yield warning('edge_without_name', here, [
        ...(['', 'The edge has no name, so no request reaches it.'] as const),
        'Add a hostport to the edge, or delete it.',
      ]);
    if (kind === 'https_edge') {
      if (routed.has(id)) continue;
      yield warning('edge_without_route', here, [
        ...([name, 'The edge has no route, so each request gets an error.'] as const),
        'Add a route to the edge.',
      ]);
    } else if (backend === null) {
      yield warning('edge_without_backend', here, [
        ...([name, 'The edge has no backend that is enabled, so each connection is refused.'] as const),
        'Set the backend of the edge, and enable it.',
      ]);
    } else yield* groupWarnings(facts, context, here, name, backend);
  }
}

/** A backend of another kind needs no agent, or is a choice of several. */
function* groupWarnings(
  facts: AccountFacts,
  { hasTunnel }: WarningContext,
  resource: Place,
  name: string,
  backend: string,
): Found {
  const labels = facts.tunnel_group_backend.get(backend)?.labels;
  if (labels === undefined || hasTunnel(labels)) return;
  const wanted = [...labels].map(([key, value]) => `${key}=${value}`).join(', ');
  yield warning('backend_without_agent', resource, [
    ...([name, `No agent is online with the labels ${wanted}.`] as const),
    'Start an agent with these labels.',
  ]);
}

function* eventWarnings(facts: AccountFacts): Found {
  for (const { destination, attempts, error } of facts.event_delivery.values()) {
    const known = facts.event_destination.get(destination);
    if (known === undefined || attempts < FAILING_ATTEMPTS) continue;
    yield warning(
      'event_target_failing',
      ['event_destination', destination],
      [
        known.description,
        `Events are not accepted since ${attempts} attempts: ${error}`,
        'Correct the destination, and send a test event.',
      ],
    );
  }
  for (const [id, { sources, destinations }] of facts.event_subscription) {
    const here = ['event_subscription', id] as const;
    if (destinations === 0)
      yield warning('subscription_without_destination', here, [
        ...(['', 'The events of this subscription go nowhere.'] as const),
        'Add a destination to the subscription.',
      ]);
    if (sources === 0)
      yield warning('subscription_without_source', here, [
        ...(['', 'This subscription selects no events.'] as const),
        'Add a source to the subscription.',
      ]);
  }
}

function* restrictionWarnings(facts: AccountFacts): Found {
  for (const [id, { type, isEnforced }] of facts.ip_restriction)
    if (!isEnforced)
      yield warning(
        'restriction_not_enforced',
        ['ip_restriction', id],
        [
          ...(['', `The IP restriction of type ${type} only logs what it would refuse.`] as const),
          'Set enforced to true once the log has nothing that must be admitted.',
        ],
      );
}
