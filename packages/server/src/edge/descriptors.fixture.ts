/**
 * A front door in a process of its own, which prints its port and CA as a line of JSON, for the test that takes its file
 * descriptors away.
 */
import { pino } from 'pino';
import { atEdge, edgeDocument } from './documents.fixture.ts';
import { certificatesOf, openAuthority } from './front-door.fixture.ts';
import { FrontDoor } from './front-door.ts';
import { SourceShares } from './source-shares.ts';
import { RouteTable } from './table.ts';

const authority = await openAuthority();
const table = new RouteTable({ byName: () => undefined, heldFor: () => undefined });
table.reset([edgeDocument('edgtls_1', ['a.example.com'], { tls_termination: atEdge })]);
const door = new FrontDoor({
  listen: { host: '127.0.0.1', port: 0 },
  targets: table,
  online: { matching: () => [] },
  services: new Map(),
  http: { serve: (socket) => void socket.end('served\n'), makeRoom: () => false },
  shares: new SourceShares(),
  certificates: certificatesOf(authority),
  log: pino({ level: 'silent' }),
});
const { port } = await door.start();
console.log(JSON.stringify({ port, ca: authority.certificatePem }));
