/** An SSH gateway on a real ingress, with one credential, and messages of raw clients, for tests. */
import { pino } from 'pino';
import { addressesOf } from '../../core/ip/client-address.ts';
import {
  boolean,
  fingerprint,
  formatPublicKey,
  generateSigningKey,
  openSigningKey,
  type SigningKey,
  string,
  uint32,
} from '../../pki/ssh/index.ts';
import { Message } from '../../ssh/numbers.ts';
import { makeHostKey } from '../../ssh/openssh.fixture.ts';
import type { RawClient } from '../../ssh/raw-client.fixture.ts';
import { World, type WorldOptions } from '../ingress.fixture.ts';
import { SshGateway } from './gateway.ts';

export interface Started {
  readonly port: number;
  readonly key: SigningKey;
  readonly world: World;
  /** The key of a new credential of another account. */
  register(): Promise<SigningKey>;
  stop(): Promise<void>;
}

/** A gateway with one credential, whose bind rules are `acl`. */
export async function startGateway(
  options: WorldOptions = {},
  acl: readonly string[] = [],
): Promise<Started> {
  const world = await World.create(options);
  const key = await register(world, acl);
  const gateway = await SshGateway.start({
    address: { host: '127.0.0.1', port: 0 },
    hostKeys: [await makeHostKey()],
    ingress: world.ingress,
    connections: 100,
    identify: (socket, known) => {
      const addresses = addressesOf(socket);
      if (addresses === null) socket.destroy();
      else known(addresses);
    },
    log: pino({ level: 'silent' }),
  });
  const stop = async (): Promise<void> => {
    gateway.stop();
    await world.stop();
  };
  return { port: gateway.port, key, world, register: () => register(world, []), stop };
}

async function register(world: World, acl: readonly string[]): Promise<SigningKey> {
  const key = openSigningKey(await generateSigningKey({ type: 'ed25519' }));
  const account = await world.account();
  const user = { name: 'u', email: 'u@example.com', role: 'admin', active: true };
  const owner_id = await world.insert('user', 'usr', account, user);
  await world.insert('ssh_credential', 'sshcr', account, {
    ...{ description: '', metadata: '', acl: [...acl], owner_id },
    public_key: formatPublicKey(key.publicKey),
    fingerprint: fingerprint(key.publicKey),
  });
  return key;
}

/** Sends `tcpip-forward` or `cancel-tcpip-forward`. */
export function requestForward(
  client: RawClient,
  name: 'tcpip-forward' | 'cancel-tcpip-forward',
  address: string,
  port: number,
  wantsReply = true,
): void {
  client.send(
    Buffer.of(Message.globalRequest),
    string(name),
    boolean(wantsReply),
    string(address),
    uint32(port),
  );
}

/** Sends a command in a session that is open at the server under that number. */
export function requestCommand(client: RawClient, session: number, command: string): void {
  const request = [uint32(session), string('exec'), boolean(true), string(command)];
  client.send(Buffer.of(Message.channelRequest), ...request);
}
