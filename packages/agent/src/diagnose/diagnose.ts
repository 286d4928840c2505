/**
 * Checks each step of the way to the service, in order.
 * Invariant: the token is sent to a trusted server only.
 */
import { reasonOf } from '../reason.ts';
import { TlsMemory } from '../tls-memory.ts';
import { lookAtDns } from './addresses.ts';
import { lookAtTls } from './certificate.ts';
import { lookAtClock } from './clock.ts';
import { type Finding, failed, type Look, type Subject, skipped, type Target } from './finding.ts';
import { lookAtAuth, lookAtProtocol } from './protocol.ts';
import { lookAtProxy } from './proxy.ts';
import { lookAtTcp } from './tcp.ts';

/** The checks in order. None is of use after one that failed. */
const looks = {
  proxy: lookAtProxy,
  dns: lookAtDns,
  tcp: lookAtTcp,
  tls: lookAtTls,
  clock: lookAtClock,
  protocol: lookAtProtocol,
  auth: lookAtAuth,
} as const satisfies Readonly<Record<string, Look>>;

export interface Line extends Finding {
  readonly check: string;
}

export async function* diagnose(subject: Subject): AsyncGenerator<Line> {
  const target: Target = { ...subject, tls: new TlsMemory(subject.service) };
  let missing: string | null = null;
  for (const [check, look] of Object.entries<Look>(looks)) {
    const finding = missing === null ? await findingOf(look, target) : skipped(`${missing} is needed for it`);
    if (finding.status === 'failed') missing = check;
    yield { check, ...finding };
  }
}

/** Returns a check's finding. An unexpected fault, such as a lost connection, is a finding as well. */
async function findingOf(look: Look, target: Target): Promise<Finding> {
  try {
    return await look(target);
  } catch (error) {
    return failed(reasonOf(error), 'Try it again: this may pass.');
  }
}
