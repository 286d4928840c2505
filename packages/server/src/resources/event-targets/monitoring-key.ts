/**
 * Tries the key of the monitoring service when a destination gets it. Never that a service which cannot be asked keeps a destination
 * from being made: only a key that it rejects itself is refused.
 */
import type { Settings } from '../../core/settings.ts';
import type { EventTarget } from '../../documents/index.ts';
import { Problem } from '../../errors/problem.ts';

type Asking = Pick<Settings, 'allowPrivate' | 'monitoringIntake'> & { readonly account: string };
type IsKeyRejected = typeof import('../../events/targets/monitoring.ts').isKeyRejected;

/** `key`: undefined when none was given. Where the operator sends all events elsewhere there is nobody who knows the key. */
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
