/** Events while another daemon may have the delivery: after a crash the next daemon waits until the lease has expired. */
import { Postgres, postgresMissing, shareMasterKey } from '../harness/index.ts';
import { delivers } from './events-delivery.fixture.ts';

// Of two daemons with one database the second reads what the first has sealed.
shareMasterKey();

delivers('events of changes on PostgreSQL', { skip: postgresMissing }, async () => {
  const server = await Postgres.shared();
  return { args: ['--database', await server.database()], stop: () => server.stop() };
});
