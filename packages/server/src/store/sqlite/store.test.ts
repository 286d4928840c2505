import { conformance } from '../conformance.ts';
import { openOnDisk } from './open.fixture.ts';

conformance('SQLite', openOnDisk);
