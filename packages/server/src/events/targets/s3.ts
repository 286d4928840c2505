/**
 * Stores events in a bucket: a batch is one object with a line for each event.
 * Invariant: a repeated batch replaces its object, because the name depends only on the events and the destination.
 */
import { Readable } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import { createGzip } from 'node:zlib';
import { PutObjectCommand, S3Client } from '@aws-sdk/client-s3';
import type { S3Settings } from '../../documents/index.ts';
import { type CloudOptions, clientOf, isOverridden, regionOf } from './cloud-access.ts';
import { cloudTarget, taken } from './cloud-target.ts';
import { MOST_IN_FILE } from './file-bounds.ts';
import type { OutboxEvent, Target, TargetLimits } from './target.ts';

export interface S3Options extends CloudOptions {
  readonly settings: S3Settings;
}

/** The gathering determines the events of an object. An event that is larger than a file has its own. */
const limits: TargetLimits = {
  ...{ batchEvents: MOST_IN_FILE, batchBytes: Number.MAX_SAFE_INTEGER, eventBytes: Number.MAX_SAFE_INTEGER },
  ...{ overheadBytes: 1, partial: false },
};
/** Milliseconds for the largest object. */
const TIMEOUT_MS = 120_000;
/** Events that are converted to lines at once. */
const PIECE = 500;

export function openS3(options: S3Options): Target {
  const { settings } = options;
  const [, Bucket = ''] = settings.identifier.split(':::');
  let region = regionOf(settings.identifier);
  const client = new S3Client({
    ...clientOf('S3', options),
    region: async () => region,
    // A replacement for the cloud has no host name for each bucket.
    forcePathStyle: isOverridden('S3'),
  });
  return cloudTarget(
    { timeoutMs: TIMEOUT_MS, ...options },
    {
      limits,
      client,
      async put(batch, abortSignal) {
        const object = { Bucket, Key: keyOf(batch, options), ...(await contentOf(batch, settings)) };
        const store = () => client.send(new PutObjectCommand(object), { abortSignal });
        await store().catch((error: unknown) => {
          const other = regionIn(error);
          if (other === null || other === region) throw error;
          region = other;
          return store();
        });
        return batch.map(() => taken);
      },
    },
  );
}

/**
 * Returns e.g. `logs/2026/11/22/21/<first event>-<last event>-<destination>.ndjson`, by the time of the first event in
 * UTC. Names sort in the order of events. They contain the destination, because another one of the bucket may have
 * other events between the same first and last.
 */
function keyOf(batch: readonly OutboxEvent[], { settings, destination }: S3Options): string {
  const { object_prefix, compression } = settings;
  const [first, last] = [batch[0], batch.at(-1)];
  if (first === undefined || last === undefined) throw new Error('a batch has no event');
  const hour = new Date(first.time).toISOString().slice(0, 13).replace(/[-T]/g, '/');
  return `${object_prefix}${hour}/${first.id}-${last.id}-${destination}.ndjson${compression ? '.gz' : ''}`;
}

async function contentOf(batch: readonly OutboxEvent[], { compression }: S3Settings) {
  if (!compression)
    return {
      Body: Buffer.concat(await Array.fromAsync(linesOf(batch))),
      ContentType: 'application/x-ndjson',
    };
  const compressed = Readable.from(linesOf(batch)).compose(createGzip());
  return { Body: Buffer.concat(await compressed.toArray()), ContentType: 'application/gzip' };
}

/** Yields some lines at a time, so that other work runs in between. */
async function* linesOf(batch: readonly OutboxEvent[]): AsyncGenerator<Buffer> {
  for (let at = 0; at < batch.length; at += PIECE) {
    const piece = batch.slice(at, at + PIECE);
    yield Buffer.from(piece.map(({ text }) => `${text}\n`).join(''));
    await setImmediate();
  }
}

/**
 * Returns the bucket's region from an error, because the identifier does not contain it. The rest of a redirect is
 * ignored: no address in it is connected to.
 */
function regionIn(error: unknown): string | null {
  const { $response } = error as { $response?: { headers?: Readonly<Record<string, string>> } };
  const region = $response?.headers?.['x-amz-bucket-region'] ?? '';
  return /^[a-z]+(-[a-z0-9]+)+$/.test(region) ? region : null;
}
