/**
 * Sends events to a delivery stream, each with a line end, because the stream joins them.
 * Invariant: no two events of one resource are in one batch.
 */
import { FirehoseClient, PutRecordBatchCommand } from '@aws-sdk/client-firehose';
import { type CloudOptions, clientOf } from './cloud-access.ts';
import { cloudTarget, outcomeOf } from './cloud-target.ts';
import type { Target, TargetLimits } from './target.ts';

const limits: TargetLimits = {
  ...{ batchEvents: 500, batchBytes: 4 * 1_048_576, eventBytes: 1_024_000 - 1, overheadBytes: 1 },
  partial: true,
};

export function openDeliveryStream(options: CloudOptions): Target {
  const client = new FirehoseClient(clientOf('FIREHOSE', options));
  const encoder = new TextEncoder();
  const DeliveryStreamName = options.settings.identifier.split(':deliverystream/')[1];
  return cloudTarget(options, {
    limits,
    client,
    async put(batch, abortSignal) {
      const Records = batch.map(({ text }) => ({ Data: encoder.encode(`${text}\n`) }));
      const command = new PutRecordBatchCommand({ DeliveryStreamName, Records });
      const answer = await client.send(command, { abortSignal });
      return batch.map((_, at) => outcomeOf(answer.RequestResponses?.[at]));
    },
  });
}
