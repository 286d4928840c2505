/**
 * Sends events to a log group, in a log stream that is named after the destination and created if necessary.
 * Invariant: times within a batch increase and differ by less than a day, because other batches are refused. The text
 * of each event has the exact time.
 */
import {
  CloudWatchLogsClient,
  CreateLogStreamCommand,
  PutLogEventsCommand,
  type PutLogEventsCommandOutput,
  ResourceAlreadyExistsException,
  ResourceNotFoundException,
} from '@aws-sdk/client-cloudwatch-logs';
import { type CloudOptions, clientOf } from './cloud-access.ts';
import { cloudTarget, taken } from './cloud-target.ts';
import type { OutboxEvent, Outcome, Target, TargetLimits } from './target.ts';

const SPAN_MS = 23 * 3_600_000;
const limits: TargetLimits = {
  ...{ batchEvents: 10_000, batchBytes: 1_048_576, eventBytes: 1_000_000, overheadBytes: 26 },
  // A rejected entry is lost: none is sent after a newer one.
  partial: false,
};

export function openLogGroup(options: CloudOptions): Target {
  const client = new CloudWatchLogsClient(clientOf('CLOUDWATCH_LOGS', options));
  const [, name = ''] = options.settings.identifier.split(':log-group:');
  const place = { logGroupName: name.replace(/:\*$/, ''), logStreamName: options.destination };
  return cloudTarget(options, {
    limits,
    client,
    async put(batch, abortSignal) {
      const command = new PutLogEventsCommand({ ...place, logEvents: entriesOf(batch) });
      const send = () => client.send(command, { abortSignal });
      const answer = await send().catch(async (error: unknown) => {
        if (!(error instanceof ResourceNotFoundException)) throw error;
        await client.send(new CreateLogStreamCommand(place), { abortSignal }).catch((failure: unknown) => {
          if (!(failure instanceof ResourceAlreadyExistsException)) throw failure;
        });
        return send();
      });
      return batch.map((_, at) => outcomeAt(at, answer));
    },
  });
}

function entriesOf(batch: readonly OutboxEvent[]) {
  const newest = Math.max(...batch.map(({ time }) => time));
  let timestamp = newest - SPAN_MS;
  return batch.map(({ time, text: message }) => {
    timestamp = Math.max(timestamp, time);
    return { timestamp, message };
  });
}

function outcomeAt(at: number, { rejectedLogEventsInfo: rejected = {} }: PutLogEventsCommandOutput): Outcome {
  const { tooNewLogEventStartIndex: tooNew, tooOldLogEventEndIndex, expiredLogEventEndIndex } = rejected;
  const old = Math.max(tooOldLogEventEndIndex ?? 0, expiredLogEventEndIndex ?? 0);
  if (at < old) return { result: 'refused', reason: 'the event is older than the log group keeps entries' };
  if (tooNew === undefined || at < tooNew) return taken;
  return { result: 'refused', reason: 'the time of the event is too far ahead for the log group' };
}
