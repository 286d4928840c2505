import { conformance } from '../conformance/index.ts';
import { openOnDisk } from './open.fixture.ts';

conformance('SQLite', openOnDisk);
