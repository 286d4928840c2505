/** Events where another daemon could be sending them: after a crash the next one waits until the lease of the last is over. */
import { Postgres, postgresMissing, shareMasterKey } from '../harness/index.ts';
import { delivers } from './events-delivery.fixture.ts';

// Of two daemons with one database the second reads what the first has sealed.
shareMasterKey();

delivers('events of changes on PostgreSQL', { skip: postgresMissing }, async () => {
  const server = await Postgres.shared();
  return { args: ['--database', await server.database()], stop: () => server.stop() };
});
