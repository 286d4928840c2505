/** Ticket keys of a daemon of one's own. */
import { randomBytes } from 'node:crypto';
import { Sealer } from './seal.ts';
import { TicketKeys } from './ticket-keys.ts';

export function ownTicketKeys(now: () => number = Date.now): TicketKeys {
  return new TicketKeys({ sealer: new Sealer(randomBytes(32)), now });
}
