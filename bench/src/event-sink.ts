/**
 * Takes events as the monitoring service or a data stream does, as a process of its own. Prints its port; `GET /` answers how many it took, and
 * how many of them had come before, or after a newer one of their account.
 */
import { createServer } from 'node:http';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';

const unzip = promisify(gunzip);
let taken = 0;
let misplaced = 0;
/** The newest of each account. */
const newest = new Map<string, string>();

/** Ids are in the order of events. */
function take(text: string): void {
  const { event_id, account_id } = JSON.parse(text) as { event_id: string; account_id: string };
  if (event_id <= (newest.get(account_id) ?? '')) misplaced += 1;
  newest.set(account_id, event_id);
  taken += 1;
}

const server = createServer(async (request, answer) => {
  if (request.method === 'GET') return void answer.end(JSON.stringify({ taken, misplaced }));
  const body = Buffer.concat(await request.toArray());
  if (request.headers['content-encoding'] === 'gzip') {
    const entries = JSON.parse((await unzip(body)).toString()) as readonly { message: string }[];
    for (const { message } of entries) take(message);
    return void answer.writeHead(202).end('{}');
  }
  const { Records } = JSON.parse(body.toString()) as { Records: readonly { Data: string }[] };
  for (const { Data } of Records) take(Buffer.from(Data, 'base64').toString());
  const own = Records.map((_, at) => ({ SequenceNumber: String(at), ShardId: 'shard' }));
  answer.end(JSON.stringify({ FailedRecordCount: 0, Records: own }));
});
server.listen(0, '127.0.0.1', () => {
  console.log(`port ${(server.address() as { port: number }).port}`);
});
