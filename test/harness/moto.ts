/**
 * A cloud on this machine for events: `moto_server`, from PyPI.
 * Invariant: it is always a server of the test.
 */

import { freePorts } from './free-ports.ts';
import type { LooseJson } from './loose-json.ts';
import { isOnPath, missingFromPyPI } from './missing.ts';
import { Process } from './process.ts';
import { eventually } from './until.ts';

/** Reason why there can be none here; false when there can. */
export const motoMissing = missingFromPyPI(
  'moto_server',
  isOnPath('moto_server'),
  ...['moto', 'flask', 'flask-cors'],
);

const REGION = 'eu-west-1';
const ACCOUNT = '123456789012';
const services = {
  kinesis: 'Kinesis_20131202',
  firehose: 'Firehose_20150804',
  logs: 'Logs_20140328',
} as const;
type Service = keyof typeof services;

export class Moto {
  readonly url: string;
  readonly #process: Process;

  private constructor(port: number) {
    this.url = `http://127.0.0.1:${port}`;
    this.#process = Process.program('moto_server', ['-H', '127.0.0.1', '-p', String(port)]);
  }

  static async start(): Promise<Moto> {
    const [port = 0] = await freePorts(1);
    const moto = new Moto(port);
    await eventually(async () => void (await fetch(`${moto.url}/moto-api/`)));
    return moto;
  }

  async stop(): Promise<void> {
    await this.#process.stop();
  }

  /** The identifier of a stream that is made. */
  async stream(name: string): Promise<string> {
    await this.#call('kinesis', 'CreateStream', { StreamName: name, ShardCount: 1 });
    return `arn:aws:kinesis:${REGION}:${ACCOUNT}:stream/${name}`;
  }

  async recordsOf(stream: string): Promise<readonly string[]> {
    const from = { StreamName: stream, ShardIteratorType: 'TRIM_HORIZON', ShardId: 'shardId-000000000000' };
    const { ShardIterator } = await this.#call('kinesis', 'GetShardIterator', from);
    const { Records } = await this.#call('kinesis', 'GetRecords', { ShardIterator });
    return Records.map(({ Data }: { Data: string }) => Buffer.from(Data, 'base64').toString());
  }

  /** One that brings what comes into a bucket of its name. */
  async deliveryStream(name: string): Promise<string> {
    const BucketARN = await this.bucket(name);
    const role = `arn:aws:iam::${ACCOUNT}:role/delivery`;
    const destination = { RoleARN: role, BucketARN };
    const given = { DeliveryStreamName: name, ExtendedS3DestinationConfiguration: destination };
    await this.#call('firehose', 'CreateDeliveryStream', given);
    return `arn:aws:firehose:${REGION}:${ACCOUNT}:deliverystream/${name}`;
  }

  async bucket(name: string): Promise<string> {
    await this.#bucket('PUT', name);
    return `arn:aws:s3:::${name}`;
  }

  /** The lines in a bucket, of one object after the other. */
  async linesIn(bucket: string): Promise<readonly string[]> {
    const list = await this.#bucket('GET', `${bucket}?list-type=2`);
    const keys = Array.from(list.matchAll(/<Key>(.*?)<\/Key>/g), ([, key = '']) => key);
    const objects = await Promise.all(keys.map((key) => this.#bucket('GET', `${bucket}/${key}`)));
    return objects.flatMap((text) => text.split('\n').filter(Boolean));
  }

  async logGroup(name: string): Promise<string> {
    await this.#call('logs', 'CreateLogGroup', { logGroupName: name });
    return `arn:aws:logs:${REGION}:${ACCOUNT}:log-group:${name}`;
  }

  async entriesOf(group: string): Promise<readonly string[]> {
    const { events } = await this.#call('logs', 'FilterLogEvents', { logGroupName: group });
    return events.map(({ message }: { message: string }) => message);
  }

  async #call(service: Service, operation: string, body: object): Promise<LooseJson> {
    const headers = {
      'content-type': 'application/x-amz-json-1.1',
      'x-amz-target': `${services[service]}.${operation}`,
      authorization: signedFor(service),
    };
    const answer = await fetch(this.url, { method: 'POST', headers, body: JSON.stringify(body) });
    const text = await answer.text();
    if (!answer.ok) throw new Error(`${operation}: ${text}`);
    return text === '' ? {} : JSON.parse(text);
  }

  async #bucket(method: 'GET' | 'PUT', path: string): Promise<string> {
    const location = `<CreateBucketConfiguration><LocationConstraint>${REGION}</LocationConstraint></CreateBucketConfiguration>`;
    const answer = await fetch(`${this.url}/${path}`, {
      method,
      headers: { authorization: signedFor('s3') },
      ...(method === 'PUT' ? { body: location } : {}),
    });
    const text = await answer.text();
    if (!answer.ok) throw new Error(`${method} ${path}: ${text}`);
    return text;
  }
}

/** It looks no further than for which service a request is. */
function signedFor(service: string): string {
  const day = new Date().toISOString().slice(0, 10).replaceAll('-', '');
  return `AWS4-HMAC-SHA256 Credential=test/${day}/${REGION}/${service}/aws4_request, SignedHeaders=host, Signature=0`;
}
