/**
 * A fake cloud.
 * Invariant: each request must have a correct signature of version 4, which this file computes by itself.
 */
import assert from 'node:assert/strict';
import { createHash, createHmac } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { TestContext } from 'node:test';

export interface CloudRequest {
  /** E.g. `Kinesis_20131202.PutRecords`. It is the body's `Action` for STS, and the query's `x-id` for a bucket. */
  readonly operation: string;
  readonly path: string;
  readonly contentType: string;
  readonly bytes: Buffer;
  readonly body: string;
  readonly keyId: string;
  readonly scope: string;
  readonly token: string;
  /** The time of the signature, such as `20261122T103000Z`. */
  readonly date: string;
}

/** Null cuts the connection. Undefined sends no response. */
export type CloudAnswer =
  | {
      readonly status?: number;
      readonly headers?: Readonly<Record<string, string>>;
      readonly body: unknown;
    }
  | null
  | undefined;

export interface Cloud {
  readonly requests: CloudRequest[];
  /** Keys by their id. */
  readonly keys: Map<string, string>;
  answer: (request: CloudRequest) => CloudAnswer;
}

/** Directs all clients of the cloud to this one during the test. */
export async function startCloud(t: TestContext): Promise<Cloud> {
  const cloud: Cloud = { requests: [], keys: new Map(), answer: () => ({ body: {} }) };
  const faults: unknown[] = [];
  const server = createServer(async (request, response) => {
    const bytes = Buffer.concat(await request.toArray());
    try {
      const read = readRequest(request, bytes, cloud.keys);
      cloud.requests.push(read);
      const answer = cloud.answer(read);
      if (answer === undefined) return;
      if (answer === null) return void response.destroy();
      const { status = 200, headers, body } = answer;
      response.writeHead(status, headers).end(typeof body === 'string' ? body : JSON.stringify(body));
    } catch (error) {
      faults.push(error);
      response.writeHead(403).end('{"__type":"InvalidSignatureException"}');
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  process.env.AWS_ENDPOINT_URL = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  t.after(() => {
    delete process.env.AWS_ENDPOINT_URL;
    server.close();
    server.closeAllConnections();
    assert.deepEqual(faults, []);
  });
  return cloud;
}

function readRequest(request: IncomingMessage, bytes: Buffer, keys: Cloud['keys']): CloudRequest {
  const { headers, method, url = '' } = request;
  const given = /^AWS4-HMAC-SHA256 Credential=([^/]+)\/(\S+), SignedHeaders=(\S+), Signature=(\w+)$/.exec(
    headers.authorization ?? '',
  );
  assert.ok(given !== null, `no signature: ${headers.authorization}`);
  const [, keyId = '', scope = '', signed = '', signature] = given;
  const [path = '', query = ''] = url.split('?');
  const canonical = [
    ...[method, path, query],
    ...signed.split(';').map((name) => `${name}:${String(headers[name]).trim()}`),
    ...['', signed, sha256(bytes)],
  ].join('\n');
  const toSign = ['AWS4-HMAC-SHA256', headers['x-amz-date'], scope, sha256(canonical)].join('\n');
  const key = [...scope.split('/')].reduce<string | Buffer>(hmac, `AWS4${keys.get(keyId)}`);
  assert.equal(signature, hmac(key, toSign).toString('hex'));
  const body = bytes.toString();
  const named = new URLSearchParams(query).get('x-id') ?? new URLSearchParams(body).get('Action');
  const operation = String(headers['x-amz-target'] ?? named);
  const contentType = headers['content-type'] ?? '';
  const token = headers['x-amz-security-token'] ?? '';
  const date = String(headers['x-amz-date']);
  return { operation, path, contentType, bytes, body, keyId, scope, token: String(token), date };
}

function sha256(data: string | Buffer): string {
  return createHash('sha256').update(data).digest('hex');
}

function hmac(key: string | Buffer, data: string): Buffer {
  return createHmac('sha256', key).update(data).digest();
}
