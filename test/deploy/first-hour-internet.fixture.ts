/**
 * The rest of the internet for docs/start/first-hour.md, inside of its machine. It has a name server with the documented
 * records, and a certificate authority. It also serves the files of a release, and a page on port 3000.
 *
 *     node first-hour-internet.fixture.ts RELEASE OUT
 *
 * `OUT` gets `authority.pem` (of the directory) and `root.pem` (of the certificates), and `directory` at the end.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { basename, join } from 'node:path';
import { NameServer } from '../../packages/server/src/dns/name-server.fixture.ts';
import { Pebble } from '../harness/pebble.ts';
import { blocksOf } from '../system/documented-commands.fixture.ts';

const [release = '', out = ''] = process.argv.slice(2);
const names = await NameServer.start('127.0.0.2', 53);
for (const { language, text } of blocksOf('docs/start/first-server.md')) {
  if (language !== 'dns') continue;
  for (const [, name = '', type, value = ''] of text.matchAll(/^(\S+)\. +(\w+) +(\S+?)\.?$/gm)) {
    if (type === 'A') names.set(name, 'A', '127.0.0.1');
    if (type === 'CNAME') names.set(name, type, value);
    if (type === 'NS') names.delegate(name, 53);
  }
}
const pebble = await Pebble.prepare({ dns: names.address });
await pebble.start({ tlsPort: 443, httpPort: 80 });
createServer(({ url = '' }, response) => {
  if (basename(url) === 'install.sh')
    return response.end(readFileSync(join(import.meta.dirname, '../../install.sh')));
  response.end(readFileSync(join(release, basename(url))));
}).listen(8000, '127.0.0.1');
createServer((_, response) => response.end('hello from port 3000\n')).listen(3000, '127.0.0.1');
writeFileSync(join(out, 'authority.pem'), pebble.authority);
writeFileSync(join(out, 'root.pem'), await pebble.root());
writeFileSync(join(out, 'directory'), pebble.directory);
