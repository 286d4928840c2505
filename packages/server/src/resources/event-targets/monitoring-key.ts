/**
 * Verifies the key of the monitoring service when a destination gets it.
 * Invariant: an unreachable service does not prevent a destination; only a rejected key is refused.
 */
import type { Settings } from '../../core/settings.ts';
import type { EventTarget } from '../../documents/index.ts';
import { Problem } from '../../errors/problem.ts';

type Asking = Pick<Settings, 'allowPrivate' | 'monitoringIntake'> & { readonly account: string };
type IsKeyRejected = typeof import('../../events/targets/monitoring.ts').isKeyRejected;

/** `key`: undefined if none was given. If the operator sends all events elsewhere, no service can verify the key. */
export async function tryMonitoringKey(
  target: EventTarget,
  key: string | undefined,
  { account, allowPrivate, monitoringIntake: intake }: Asking,
  ask: IsKeyRejected = async (options) =>
    (await import('../../events/targets/monitoring.ts')).isKeyRejected(options),
): Promise<void> {
  if (target.type !== 'monitoring' || key === undefined || intake !== null) return;
  const isRejected = await ask({ settings: target.settings, key, intake, account, allowPrivate });
  if (isRejected) throw new Problem('monitoringKeyRejected', {}, { field: '/target/monitoring/api_key' });
}
