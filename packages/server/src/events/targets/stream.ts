/**
 * Sends events to a data stream.
 * Invariant: no two events of one resource are in one batch, because the first could fail alone.
 */
import { KinesisClient, PutRecordsCommand } from '@aws-sdk/client-kinesis';
import { type CloudOptions, clientOf } from './cloud-access.ts';
import { cloudTarget, outcomeOf } from './cloud-target.ts';
import type { Target, TargetLimits } from './target.ts';

const MIB = 1_048_576;
/** Bytes of a partition key at most. They count. */
const KEY_BYTES = 256;
const limits: TargetLimits = {
  ...{ batchEvents: 500, batchBytes: 5 * MIB, eventBytes: MIB - KEY_BYTES, overheadBytes: KEY_BYTES },
  partial: true,
};

export function openStream(options: CloudOptions): Target {
  const client = new KinesisClient(clientOf('KINESIS', options));
  const encoder = new TextEncoder();
  return cloudTarget(options, {
    limits,
    client,
    async put(batch, abortSignal) {
      // Records with the same key keep their order.
      const Records = batch.map(({ id, resource, text }) => ({
        Data: encoder.encode(text),
        PartitionKey: resource || id,
      }));
      const command = new PutRecordsCommand({ StreamARN: options.settings.identifier, Records });
      const answer = await client.send(command, { abortSignal });
      return batch.map((_, at) => outcomeOf(answer.Records?.[at]));
    },
  });
}
