/** The parts for the audit trail, tests of access rules, and visitors' logins. */
import { after } from '../events/resting.ts';
import { testBindRules } from '../insight/access-tests/test-bind-rules.ts';
import { testIpRules } from '../insight/access-tests/test-ip-rules.ts';
import { listChanges } from '../insight/changes/list-changes.ts';
import { notesExpiry } from '../insight/notes-expiry.ts';
import type { OperationRuns } from '../insight/operation-runs.ts';
import { endVisitorLogin, listVisitorLogins } from '../insight/visitor-logins/visitor-logins.ts';
import type { Login } from '../login/login.ts';
import { CHANGE_DAYS } from '../resources/change-entry.ts';
import { resourceSurfaces } from '../resources/kinds/index.ts';
import { createRef } from '../resources/show.ts';
import type { BindTest } from '../tunnels/bind-test.ts';
import type { Ingress } from '../tunnels/ingress.ts';
import type { Foundation } from './foundation.ts';

const DAY_MS = 86_400_000;

export interface AuditingNeeds {
  readonly ingress: Ingress;
  readonly login: Login;
}

export async function startAuditing(
  { config, store, log, parts, errorPrefix }: Foundation,
  { ingress, login }: AuditingNeeds,
  runs: OperationRuns,
): Promise<void> {
  const ref = createRef(resourceSurfaces, config.settings.baseUrl);
  const logins = { store, records: login.records, now: Date.now };
  const judge = (test: BindTest) => ingress.testBind(test);
  runs.add({
    changes_list: (call) => listChanges({ store, ref }, call),
    bind_rules_test: (call) => testBindRules({ store, judge, errorPrefix }, call),
    ip_rules_test: (call) => testIpRules({ store, ref }, call),
    visitor_logins_list: (call) => listVisitorLogins(logins, call),
    visitor_logins_delete: (call) => endVisitorLogin(logins, call),
  });
  // The time of a login's note is the latest end of its session.
  const kept = { change: CHANGE_DAYS * DAY_MS, visit: 0 };
  const expiry = notesExpiry({ store, kept, now: Date.now }, { after, log });
  await parts.start({ start: () => expiry.start(), stop: () => expiry.stop() });
}
