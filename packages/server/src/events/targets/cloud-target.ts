/**
 * The common part of targets in the cloud.
 * Invariant: an error of the cloud never gives an event up, because its owner can correct each of them.
 */
import { type CloudOptions, TIMEOUT_MS } from './cloud-access.ts';
import { reasonOfError, words } from './reasons.ts';
import type { OutboxEvent, Outcome, Target, TargetLimits } from './target.ts';

export interface CloudTarget {
  readonly limits: TargetLimits;
  readonly client: { destroy(): void };
  /** Rejects if the outcome of all events is unknown. */
  put(batch: readonly OutboxEvent[], abortSignal: AbortSignal): Promise<readonly Outcome[]>;
}

export const taken: Outcome = { result: 'taken' };

export function cloudTarget(options: CloudOptions, { limits, client, put }: CloudTarget): Target {
  const { timeoutMs = TIMEOUT_MS } = options;
  return {
    limits,
    async send(batch, signal) {
      const ends = AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]);
      try {
        return await put(batch, ends);
      } catch (error) {
        const reason = reasonOf(ends.aborted ? ends.reason : error);
        return batch.map(() => ({ result: 'retry', reason }));
      }
    },
    close: () => client.destroy(),
  };
}

/** The response of a service for one record of a batch. */
export interface RecordAnswer {
  readonly ErrorCode?: string | undefined;
  readonly ErrorMessage?: string | undefined;
}

export function outcomeOf(record: RecordAnswer | undefined): Outcome {
  if (record === undefined) return { result: 'retry', reason: 'the cloud reported no outcome for the event' };
  const { ErrorCode: code, ErrorMessage: message = '' } = record;
  return code === undefined ? taken : { result: 'retry', reason: answered(code, message) };
}

interface CloudError {
  readonly name?: string;
  readonly message?: string;
  /** Absent: the error did not come from the service. */
  readonly $fault?: string;
  /** The HTTP response, also one that the client could not parse. */
  readonly $response?: { readonly statusCode?: number };
}

function reasonOf(error: unknown): string {
  const { name = '', message = '', $fault, $response } = error as CloudError;
  if (name === 'CredentialsProviderError') {
    return 'the service has no credentials of its own to assume the role with';
  }
  // The client uses the name Unknown for a response without a body.
  if ($fault !== undefined && name !== 'Unknown') return answered(name, message);
  if ($response?.statusCode !== undefined) return `the cloud answered ${$response.statusCode}`;
  return reasonOfError(error, 'the cloud');
}

function answered(name: string, message: string): string {
  return words(`the cloud answered ${name}: ${message}`);
}
