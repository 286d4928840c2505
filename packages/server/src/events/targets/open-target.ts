/**
 * Opens the target of a destination.
 * Invariant: the code of a kind of target is loaded only for a destination of this kind.
 */
import type { Settings } from '../../core/settings.ts';
import type { CloudSettings, EventTarget } from '../../documents/index.ts';
import type { CloudOptions } from './cloud-access.ts';
import type { DeliveryMarks } from './delivery-marks.ts';
import { TargetUnavailable } from './reasons.ts';
import type { Target } from './target.ts';

/** The context of targets, beside their settings. */
export interface TargetContext {
  /** The id of the destination, and of its account. */
  readonly destination: string;
  readonly account: string;
  /** The operator's rules for the addresses of targets. */
  readonly settings: Pick<Settings, 'allowPrivate' | 'monitoringIntake'>;
  /** Null if deliveries cannot cause further events. */
  readonly marks: Pick<DeliveryMarks, 'of'> | null;
}

/**
 * `secret` is the target's, in clear text; '' for none. Rejects with TargetUnavailable if the daemon lacks a part that
 * the target needs.
 */
export async function openTarget(
  target: EventTarget,
  secret: string,
  { account, destination, settings: { allowPrivate, monitoringIntake: intake }, marks }: TargetContext,
): Promise<Target> {
  const cloud = (settings: CloudSettings): CloudOptions => ({
    settings,
    secretKey: secret,
    account,
    destination,
    allowPrivate,
  });
  const own = () => (marks === null ? {} : { 'CDN-Loop': marks.of(account) });
  switch (target.type) {
    case 'monitoring': {
      const { openMonitoring } = await import('./monitoring.ts');
      return openMonitoring({ settings: target.settings, key: secret, intake, account, allowPrivate, own });
    }
    case 'stream': {
      const { openStream } = await withCloudClients(import('./stream.ts'));
      return openStream(cloud(target.settings));
    }
    case 'delivery_stream': {
      const { openDeliveryStream } = await withCloudClients(import('./delivery-stream.ts'));
      return openDeliveryStream(cloud(target.settings));
    }
    case 'log_group': {
      const { openLogGroup } = await withCloudClients(import('./log-group.ts'));
      return openLogGroup(cloud(target.settings));
    }
    case 's3': {
      const { openS3 } = await withCloudClients(import('./s3.ts'));
      return openS3({ ...cloud(target.settings), settings: target.settings });
    }
    case 'azure_logs_ingestion': {
      const { openAzureLogsIngestion } = await import('./azure-logs-ingestion.ts');
      const uptime = () => performance.now();
      return openAzureLogsIngestion({
        settings: target.settings,
        secret,
        account,
        allowPrivate,
        uptime,
        own,
      });
    }
    default:
      return target satisfies never;
  }
}

/** Loads a client of the cloud. An installed daemon has it only if the operator installed it, too. */
async function withCloudClients<Module>(loading: Promise<Module>): Promise<Module> {
  try {
    return await loading;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_MODULE_NOT_FOUND') throw error;
    throw new TargetUnavailable(
      'this service was installed without the clients of the cloud; its operator can install them (docs/start/install.md)',
    );
  }
}
