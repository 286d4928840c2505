import { conformance } from '../conformance/index.fixture.ts';
import { openOnDisk } from './open.fixture.ts';

conformance('SQLite', openOnDisk);
