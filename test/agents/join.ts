/** A proxied stream and a connection at home, joined as a family joins them. What an agent closes it closes by FIN. */
import { once } from 'node:events';
import { connect } from 'node:net';
import type { Duplex } from 'node:stream';
import type { Family } from './family.ts';
import type { RawStream } from './raw-stream.ts';
import type { ProxyHeader } from './session.ts';

/** Makes a connection to the service that an agent forwards to. */
export type Home = () => Duplex;

export function localPort(port: number): Home {
  return () => connect({ port, host: '127.0.0.1', allowHalfOpen: true });
}

export async function join(
  family: Family,
  { Proto }: ProxyHeader,
  stream: RawStream,
  home: Home,
): Promise<void> {
  const local = home();
  let isConnected = local.writable && !('connecting' in local && local.connecting);
  local.once('connect', () => {
    isConnected = true;
  });
  local.on('error', () => {});
  const outward = (async () => {
    for await (const chunk of local) await stream.write(chunk as Buffer);
  })();
  const inward = (async () => {
    for (let chunk = await stream.chunk(); chunk !== null; chunk = await stream.chunk())
      if (!local.destroyed && !local.write(chunk))
        await Promise.race([once(local, 'drain'), once(local, 'close')]);
  })();
  const ends = [outward.then(() => stream.end()), inward.then(() => void local.end())];
  try {
    if (family.closesBothHalves) await Promise.race(ends);
    else await Promise.all(ends);
  } catch {
    if (!isConnected && family.badGateway !== null && Proto.startsWith('http'))
      await stream.write(Buffer.from(family.badGateway)).catch(() => {});
  }
  await Promise.allSettled([stream.end(), local.destroy()]);
  await Promise.allSettled(ends);
}
