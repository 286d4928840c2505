/** Events on their way from a change to where they are sent. Never that a crash of the daemon loses one. */
import { delivers } from './events-delivery.fixture.ts';

delivers('events of changes on SQLite', {}, async () => ({ args: [], stop: async () => {} }));
