/** A front door in a process of its own, for the test that takes its file descriptors away. Prints its port and CA as a line of JSON. */
import { pino } from 'pino';
import { ownTicketKeys } from '../../pki/ticket-keys.fixture.ts';
import { SourceShares } from '../backends/source-shares.ts';
import { Streams } from '../backends/streams.ts';
import { Pipes } from '../bytes/pipes.ts';
import { SiteTable } from '../compile/site-table.ts';
import { httpsEdgeDocument } from '../documents.fixture.ts';
import { DEFAULT_LIMITS } from '../http/limits.ts';
import { AwaitedTunnels } from './awaited-tunnels.ts';
import { certificatesOf, openAuthority } from './front-door.fixture.ts';
import { FrontDoor } from './front-door.ts';
import { noLoadBalancers } from './load-balancers.fixture.ts';
import { defaultBounds, OpenConnections } from './open-connections.ts';

const authority = await openAuthority();
const table = new SiteTable({
  online: { byName: () => undefined, onNamed: () => {}, heldFor: () => undefined, matching: () => [] },
});
table.reset([httpsEdgeDocument('edghts_1', ['a.example.com'])]);
const log = pino({ level: 'silent' });
const door = new FrontDoor({
  listen: { host: '127.0.0.1', port: 0 },
  sites: table,
  services: new Map(),
  certificates: certificatesOf(authority),
  ticketKeys: ownTicketKeys(),
  challenges: null,
  http: {
    serve: (socket) => {
      socket.end('served\n');
      return null;
    },
    own: { error: () => Buffer.alloc(0) },
  },
  pipes: new Pipes({
    streams: new Streams(new SourceShares(), DEFAULT_LIMITS),
    stallMs: 1_000,
    halfClosedMs: 1_000,
    observe: null,
    now: () => 0,
  }),
  connections: new OpenConnections(defaultBounds, log, undefined),
  loadBalancers: noLoadBalancers,
  awaited: new AwaitedTunnels(() => performance.now()),
  log,
});
const { port } = await door.start();
console.log(JSON.stringify({ port, ca: authority.certificatePem }));
