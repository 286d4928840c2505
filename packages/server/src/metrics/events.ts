/** Counts the results of events. */
import { type EventResult, eventResults } from '../events/delivery.ts';
import { Counter, counterFromZero, type Registry } from './prometheus.ts';

export interface EventsObserver {
  readonly counted: (result: EventResult, events: number) => void;
  readonly dropped: (events: number) => void;
}

export function countEvents(registers: Registry[]): EventsObserver {
  const events = counterFromZero({
    name: 'underpass_events_total',
    help: 'Events that were sent, by result="taken", result="retry", which is tried again, or result="given_up"',
    labels: { result: eventResults },
    registers,
  });
  const drops = new Counter({
    name: 'underpass_events_dropped_total',
    help: 'Events that were not kept for a destination because too many of the account wait',
    registers,
  });
  return {
    counted(result, count) {
      if (count > 0) events.inc({ result }, count);
    },
    dropped: (count) => drops.inc(count),
  };
}
