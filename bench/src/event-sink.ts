/** Takes events as the monitoring service or a data stream does, as a process of its own. Prints its port; `GET /` answers how many it took. */
import { createServer } from 'node:http';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';

const unzip = promisify(gunzip);
let taken = 0;

const server = createServer(async (request, answer) => {
  if (request.method === 'GET') return void answer.end(String(taken));
  const body = Buffer.concat(await request.toArray());
  if (request.headers['content-encoding'] === 'gzip') {
    const entries = JSON.parse((await unzip(body)).toString()) as readonly unknown[];
    taken += entries.length;
    return void answer.writeHead(202).end('{}');
  }
  const { Records } = JSON.parse(body.toString()) as { Records: readonly unknown[] };
  taken += Records.length;
  const own = Records.map((_, at) => ({ SequenceNumber: String(at), ShardId: 'shard' }));
  answer.end(JSON.stringify({ FailedRecordCount: 0, Records: own }));
});
server.listen(0, '127.0.0.1', () => {
  console.log(`port ${(server.address() as { port: number }).port}`);
});
