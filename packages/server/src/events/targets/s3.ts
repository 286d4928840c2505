/**
 * Stores events in a bucket, a batch as one object with a line for each. Never that the same batch is stored twice: what is sent again
 * takes the place of what it was, as the name of an object is made of its events and its destination alone.
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

/** What goes into an object is decided before it comes here: an event that is larger than a file has one of its own. */
const limits: TargetLimits = {
  ...{ batchEvents: MOST_IN_FILE, batchBytes: Number.MAX_SAFE_INTEGER, eventBytes: Number.MAX_SAFE_INTEGER },
  ...{ overheadBytes: 1, partial: false },
};
/** For the largest object. */
const TIMEOUT_MS = 120_000;
/** Events that are made into lines at once. */
const PIECE = 500;

export function openS3(options: S3Options): Target {
  const { settings } = options;
  const [, Bucket = ''] = settings.identifier.split(':::');
  let region = regionOf(settings.identifier);
  const client = new S3Client({
    ...clientOf('S3', options),
    region: async () => region,
    // Whoever stands in for the cloud has no name for each bucket.
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
 * E.g. `logs/2026/11/22/21/<first event>-<last event>-<destination>.ndjson`, by the time of the first one in UTC: in the order of their
 * events. Another destination of the bucket may have the same first and last event, and not the same between.
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

/** Some at a time: others have their turn between them. */
async function* linesOf(batch: readonly OutboxEvent[]): AsyncGenerator<Buffer> {
  for (let at = 0; at < batch.length; at += PIECE) {
    const piece = batch.slice(at, at + PIECE);
    yield Buffer.from(piece.map(({ text }) => `${text}\n`).join(''));
    await setImmediate();
  }
}

/**
 * Where the bucket is, as the cloud says when it is asked in another region: the identifier does not. Of a redirect nothing else is
 * looked at: no address that it names is connected to.
 */
function regionIn(error: unknown): string | null {
  const { $response } = error as { $response?: { headers?: Readonly<Record<string, string>> } };
  const region = $response?.headers?.['x-amz-bucket-region'] ?? '';
  return /^[a-z]+(-[a-z0-9]+)+$/.test(region) ? region : null;
}
