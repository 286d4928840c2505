/** The yardstick for the API: a bare `node:https` server that answers every request with the same JSON. Arguments: certificate, key, file with the JSON. */
import { readFileSync } from 'node:fs';
import { createServer } from 'node:https';

const [certFile = '', keyFile = '', bodyFile = ''] = process.argv.slice(2);
const body = readFileSync(bodyFile);
const server = createServer(
  { cert: readFileSync(certFile), key: readFileSync(keyFile) },
  (request, response) => {
    request.resume();
    request.on('end', () => {
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': body.length });
      response.end(body);
    });
  },
);
server.listen(0, '127.0.0.1', () => console.log(`port ${(server.address() as { port: number }).port}`));
