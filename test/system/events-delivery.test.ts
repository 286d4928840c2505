/**
 * Delivery of events.
 * Invariant: a crash of the daemon loses none.
 */
import { delivers } from './events-delivery.fixture.ts';

delivers('events of changes on SQLite', {}, async () => ({ args: [], stop: async () => {} }));
