import { conformance } from '../conformance/index.fixture.ts';
import { openOnSqlite } from './open.fixture.ts';

conformance('SQLite', openOnSqlite);
