import { conformance } from './conformance/index.fixture.ts';
import { openInMemory } from './memory.fixture.ts';

conformance('memory', openInMemory);
