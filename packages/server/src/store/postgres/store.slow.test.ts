import { after, before, describe } from 'node:test';
import { Postgres, postgresMissing } from '../../../../../test/harness/index.ts';
import { conformance } from '../conformance/index.fixture.ts';
import { openOn } from './open.fixture.ts';

describe('on a server of its own', { skip: postgresMissing }, () => {
  let server: Postgres;
  before(async () => {
    server = await Postgres.shared();
  });
  after(() => server.stop());

  conformance(
    'PostgreSQL',
    openOn(() => server),
  );
});
