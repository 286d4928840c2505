/** `ssh -R` through an sshd of its own: the tunnel that everybody has. No TLS towards the visitor. */
import { spawn, spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import { freePorts } from '@underpass/test';
import { stopChild, untilListening } from '../children.ts';
import { findProgram, type MissingPeer, type Peer } from './peer.ts';

export async function startSshTunnel(dir: string, upstreamPort: number): Promise<Peer | MissingPeer> {
  const name = 'ssh -R, no TLS';
  const sshd = findProgram('sshd');
  const ssh = findProgram('ssh');
  if (sshd === null || ssh === null)
    return { name, missing: sshd === null ? 'openssh-server' : 'openssh-client' };
  const [port, visitorPort] = (await freePorts(2)) as [number, number];
  for (const key of ['host', 'user'])
    spawnSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-f', join(dir, key)]);
  copyFileSync(join(dir, 'user.pub'), join(dir, 'authorized_keys'));
  if (process.getuid?.() === 0) mkdirSync('/run/sshd', { recursive: true });
  writeFileSync(
    join(dir, 'sshd_config'),
    `Port ${port}\nListenAddress 127.0.0.1\nHostKey ${dir}/host\nPidFile none\nAuthorizedKeysFile ${dir}/authorized_keys
     StrictModes no\nUsePAM no\nPasswordAuthentication no\nPermitRootLogin prohibit-password\n`,
  );
  const server = spawn(sshd, ['-D', '-f', join(dir, 'sshd_config')], { stdio: 'ignore' });
  await untilListening(port);
  const client = spawn(
    ssh,
    [
      ...[
        '-N',
        '-p',
        String(port),
        '-i',
        join(dir, 'user'),
        '-F',
        'none',
        '-o',
        'BatchMode=yes',
        '-o',
        'ExitOnForwardFailure=yes',
      ],
      ...['-o', 'StrictHostKeyChecking=no', '-o', 'UserKnownHostsFile=/dev/null', '-o', 'LogLevel=ERROR'],
      ...['-R', `127.0.0.1:${visitorPort}:127.0.0.1:${upstreamPort}`, `${userInfo().username}@127.0.0.1`],
    ],
    { stdio: 'ignore' },
  );
  await untilListening(visitorPort);
  return {
    name,
    target: { scheme: 'http', host: '127.0.0.1', port: visitorPort },
    // The server's own are made for each connection, below it.
    pids: [server.pid as number, client.pid as number],
    stop: async () => {
      await stopChild(client);
      await stopChild(server);
    },
  };
}
