/** Messages of WebSockets to something, with the CPU that all its processes used for them. */
import { runScript } from './children.ts';
import { cpuMicroseconds } from './cpu.ts';
import type { Loaded } from './measured-load.ts';
import type { MessageLoad, MessageOutcome } from './message-driver.ts';

/** Microseconds per message and its answer. */
export async function measureMessages(
  { name, target, pids }: Loaded,
  how: Omit<MessageLoad, 'target'>,
): Promise<number> {
  const load: MessageLoad = { target, ...how };
  const before = cpuMicroseconds(pids);
  const { messages, errors } = JSON.parse(
    await runScript('message-driver.ts', [JSON.stringify(load)]),
  ) as MessageOutcome;
  if (errors > 0) console.error(`${name}: ${errors} errors`);
  return (cpuMicroseconds(pids) - before) / messages;
}
