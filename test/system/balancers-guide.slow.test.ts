/**
 * Runs the configurations of the guide of balancers before three daemons: HAProxy and nginx.
 * Invariant: visitors arrive with their own address, and no client can claim another one.
 */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { after, before, describe, test } from 'node:test';
import { connect as connectTls } from 'node:tls';
import { HostsFile, hostsFileMissing } from '../harness/hosts-file.ts';
import {
  closing,
  eventually,
  inTime,
  makeSshKey,
  nginxMissing,
  Process,
  postgresMissing,
  sshMissing,
  startUpstream,
  type Upstream,
  until,
} from '../harness/index.ts';
import { reverseProxyMissing } from '../harness/reverse-proxies.ts';
import {
  BALANCER,
  BalancedDaemons,
  HOSTS,
  leadingTo,
  NUMBERS,
  type Number3,
  timesOffline,
} from './balanced-daemons.fixture.ts';
import { areOfOneMoment, type FreshVisit, FreshVisitors } from './fresh-visits.fixture.ts';

/** Addresses of a visitor, of an SSH client, and of a machine that is no balancer. */
const VISITOR = '127.0.0.77';
const SSH_CLIENT = '127.0.0.78';
const STRANGER = '127.0.0.79';
const VISITORS = 3;
/** Visits before and after each change, so that it meets open ones. */
const VISITS = 100;
const STOP_MS = 60_000;
/** Codes of the edge for a name whose agent is away, or was lost during the request. */
const AWAY = ['3200', '6515'];

/** A tunnel as the API lists it. */
interface Tunnel {
  readonly node: string;
  readonly public_url?: string;
}

interface Program {
  readonly command: string;
  readonly args: (path: string, folder: string) => readonly string[];
  /** The signal that reloads the configuration without a refused connection. */
  readonly reload: NodeJS.Signals;
  readonly missing: string | false;
  /** True if the balancer notices and logs a daemon that is not ready. */
  readonly checks: boolean;
}

/** Names of the daemons in the file of HAProxy. */
const SERVERS: Readonly<Record<Number3, string>> = { 11: 'one', 12: 'two', 13: 'three' };

/** Printed by HAProxy for a daemon that is not ready. */
const downOf = (number: Number3): RegExp => new RegExp(`Server underpass/${SERVERS[number]} is DOWN`);

const upOf = (number: Number3): RegExp => new RegExp(`Server underpass/${SERVERS[number]} is UP`);

const programs: Readonly<Record<string, Program>> = {
  haproxy: {
    command: 'haproxy',
    args: (path) => ['-W', '-f', path],
    reload: 'SIGUSR2',
    missing: reverseProxyMissing('haproxy'),
    checks: true,
  },
  nginx: {
    command: '/usr/sbin/nginx',
    args: (path, folder) => [
      ...['-c', path, '-p', folder, '-e', 'stderr'],
      ...['-g', `daemon off; pid ${folder}/nginx.pid;`],
    ],
    reload: 'SIGHUP',
    missing: nginxMissing,
    checks: false,
  },
};

/** Returns all that comes until the other side closes. */
async function transcript(socket: Socket): Promise<string> {
  let text = '';
  socket
    .on('error', () => {})
    .on('data', (chunk: Buffer) => {
      text += chunk.toString('latin1');
    });
  await inTime(closing(socket), () => `the end after ${text}`);
  return text;
}

for (const [name, program] of Object.entries(programs)) {
  const skip = program.missing || postgresMissing || hostsFileMissing || sshMissing;
  describe(`the guide of ${name}`, { skip }, () => {
    let daemons: BalancedDaemons;
    let balancer: Process;
    let hosts: HostsFile;
    let upstream: Upstream;
    let echo: Server;
    const agents: Process[] = [];

    before(async () => {
      daemons = await BalancedDaemons.start();
      const path = daemons.write(`${name}.conf`, daemons.block(name));
      const args = program.args(path, daemons.folder);
      balancer = Process.program(program.command, args, {
        group: true,
        env: { PATH: `${process.env.PATH}:/usr/sbin` },
      });
      await eventually(async () => {
        const socket = connect(daemons.ports[443]!, BALANCER);
        await once(socket, 'connect').finally(() => socket.destroy());
      }).catch((error: unknown) => assert.fail(`${error}:\n${balancer.output}`));
      hosts = new HostsFile(new Map([['connect.example.com', [BALANCER]]]));
      upstream = await startUpstream(({ headers }, response) =>
        response.end(`${headers.host} ${headers['x-forwarded-for']}`),
      );
      echo = createServer((socket) => socket.on('error', () => {}).pipe(socket)).listen(0, '127.0.0.1');
      await once(echo, 'listening');
      for (const host of HOSTS) await agent('http', upstream.port, '--domain', host);
    });
    after(async () => {
      await Promise.all(agents.map((one) => one.stop()));
      await balancer?.stop();
      await daemons?.stop();
      await upstream?.stop();
      echo?.close();
      if (hosts !== undefined) rmSync(hosts.folder, { recursive: true });
    });

    async function agent(proto: string, port: number, ...args: readonly string[]): Promise<Process> {
      const started = await daemons.agent([proto, String(port), ...args], hosts.through);
      agents.push(started);
      return started;
    }

    function visitors(from = VISITOR): FreshVisitors {
      return new FreshVisitors({
        port: daemons.ports[443]!,
        ca: daemons.ca,
        from,
        lookup: leadingTo(BALANCER),
      });
    }

    /** Connects to a port of the guide. */
    async function dial(port: number, address: string, from: string): Promise<Socket> {
      const socket = connect({ port: daemons.ports[port]!, host: address, localAddress: from });
      socket.on('error', () => {});
      await once(socket, 'connect');
      return socket;
    }

    test('passes the address of a visitor to the upstream, the log and rules', async () => {
      for (const host of HOSTS)
        await eventually(async () => assert.ok(isRight(await visitors().visit(host))));
      const logged = () => [11, 12, 13].map((one) => daemons.daemon(one as 11).output).join('\n');
      await eventually(() => assert.match(logged(), new RegExp(`"client_addr":"${VISITOR}:\\d+"`)));
      const limited = 'limited.example.com';
      await agent('http', upstream.port, '--domain', limited, '--cidr-allow', `${VISITOR}/32`);
      await eventually(async () => assert.equal((await visitors().visit(limited)).status, 200));
      await eventually(async () => assert.equal((await visitors(STRANGER).visit(limited)).status, 403));
    });

    test('leads plain HTTP, SSH clients and a port of a TCP tunnel to the daemons', async () => {
      const plain = await dial(80, BALANCER, VISITOR);
      plain.write(`GET /x HTTP/1.1\r\nhost: ${HOSTS[0]}\r\nconnection: close\r\n\r\n`);
      assert.match(await transcript(plain), /^HTTP\/1\.1 308 /);

      const key = makeSshKey(daemons.folder, 'key', ['-t', 'ed25519']);
      assert.equal((await daemons.api('POST', '/ssh_credentials', { public_key: key.line })).status, 201);
      const options = ['-b', SSH_CLIENT, '-p', String(daemons.ports[2222]), '-i', key.path, '-F', 'none'];
      const trusting = ['StrictHostKeyChecking=no', 'UserKnownHostsFile=/dev/null', 'BatchMode=yes'];
      const forwards = ['-R', `443:localhost:${upstream.port}`, BALANCER, 'http'];
      const args = [...options, ...trusting.flatMap((one) => ['-o', one]), ...forwards];
      const ssh = Process.program('ssh', args);
      agents.push(ssh);
      const [, url = ''] = await ssh.line(/Forwarding {2}(https:\S+)/);
      // The other daemons know the name some milliseconds later.
      await eventually(async () => {
        const { text } = await visitors().visit(new URL(url).hostname);
        assert.match(text, new RegExp(` ${VISITOR}$`));
      });
      const { json } = await daemons.api('GET', '/tunnel_sessions');
      const session = json.tunnel_sessions.find((one: { transport: string }) => one.transport === 'ssh');
      assert.equal(session.ip, SSH_CLIENT);

      const { port } = echo.address() as AddressInfo;
      await agent('tcp', port, '--address', await reservedAddress());
      await eventually(async () => {
        const tcp = await dial(20000, BALANCER, VISITOR);
        tcp.write('bytes');
        const echoed = await Promise.race([once(tcp, 'data'), closing(tcp).then(() => ['the end'])]);
        tcp.destroy();
        assert.equal(String(echoed[0]), 'bytes');
      });
    });

    /** Reserves TCP addresses until one has the first port of the range. */
    async function reservedAddress(): Promise<string> {
      const wanted = daemons.ports[20000]!;
      for (;;) {
        const { status, json, text } = await daemons.api('POST', '/reserved_addrs', {});
        assert.equal(status, 201, text);
        if (Number(json.addr.split(':').at(-1)) === wanted) return json.addr;
      }
    }

    const claim = 'PROXY TCP4 10.1.1.1 127.0.0.20 4711 443\r\n';

    test('does not believe a header that a client sends through it', async () => {
      for (const port of [443, 80, 2222]) {
        const socket = await dial(port, BALANCER, STRANGER);
        socket.write(claim);
        if (port === 80) socket.write(`GET / HTTP/1.1\r\nhost: ${HOSTS[0]}\r\n\r\n`);
        const received = await transcript(socket);
        if (port === 80) assert.match(received, /^HTTP\/1\.1 400 /);
        // An alert of TLS, or the greeting of the SSH server alone.
        else assert.ok(received.startsWith(port === 443 ? '\x15' : 'SSH-2.0-'), received);
      }
      assertUnclaimed();
    });

    test('keeps daemons from machines that are no balancer', async () => {
      const socket = await dial(443, '127.0.0.11', STRANGER);
      socket.write(claim);
      const secured = connectTls({ socket, servername: HOSTS[0]!, ca: daemons.ca });
      secured.on('error', () => {});
      secured.write(`GET / HTTP/1.1\r\nhost: ${HOSTS[0]}\r\n\r\n`);
      assert.doesNotMatch(await transcript(secured), /200/);
      assertUnclaimed();
    });

    function assertUnclaimed(): void {
      for (const one of [11, 12, 13] as const) assert.doesNotMatch(daemons.daemon(one).output, /10\.1\.1\.1/);
    }

    /** Visits all names while something happens, and for some visits after it. */
    async function visitedDuring(change: () => Promise<void>): Promise<readonly FreshVisit[]> {
      const running = visitors();
      running.start(VISITORS, HOSTS);
      try {
        await until(() => running.visits.length >= VISITS);
        await change();
        const served = running.visits.length;
        await until(() => running.visits.length >= served + VISITS);
      } finally {
        await running.stop();
      }
      return running.visits;
    }

    const isRight = ({ status, text, host }: FreshVisit): boolean =>
      status === 200 && text === `${host}:${daemons.ports[443]} ${VISITOR}`;

    test('loses no visit while it reads its configuration again', async () => {
      const lost = (await visitedDuring(async () => balancer.signal(program.reload))).filter(
        (one) => !isRight(one),
      );
      assert.deepEqual(lost, []);
    });

    test('leads the agents of a daemon that an operator drains to others, and loses no visit', async (t) => {
      const { json } = await daemons.api('GET', '/tunnels');
      const node = nodeOf(json.tunnels, HOSTS[0]!);
      assert.ok(node !== undefined);
      const from = performance.now();
      try {
        const visits = await visitedDuring(async () => {
          await daemons.nodes('drain', node);
          await eventually(async () => {
            const now = await daemons.api('GET', '/tunnels');
            const nodes = HOSTS.map((host) => nodeOf(now.json.tunnels, host));
            assert.ok(!nodes.includes(node) && !nodes.includes(undefined), `${nodes}`);
          }, STOP_MS);
          t.diagnostic(`its agents were at others after ${Math.round(performance.now() - from)} ms`);
        });
        assert.deepEqual(
          visits.filter((one) => !isRight(one)),
          [],
        );
      } finally {
        await daemons.nodes('drain', node, '--undo');
      }
    });

    async function daemonOf(host: string): Promise<Number3> {
      const { json } = await daemons.api('GET', '/tunnels');
      const number = NUMBERS.find((one) => nodeOf(json.tunnels, host) === `node-${one}`);
      assert.ok(number !== undefined, `${host} has no daemon`);
      return number;
    }

    const nodeOf = (tunnels: readonly Tunnel[], host: string): string | undefined =>
      tunnels.find(({ public_url }) => public_url?.includes(host))?.node;

    /** Starts a daemon that ended, until the balancer leads visitors to it. */
    async function runAgain(number: Number3): Promise<void> {
      balancer.forgetOutput();
      await daemons.run(number);
      if (program.checks) await balancer.line(upOf(number));
    }

    test('loses no visit while a daemon stops', async () => {
      const number = await daemonOf(HOSTS[0]!);
      balancer.forgetOutput();
      let noticedAt = Number.POSITIVE_INFINITY;
      let noticedLines = 0;
      const visits = await visitedDuring(async () => {
        const stopped = daemons.daemon(number).stop();
        if (program.checks) {
          await balancer.line(downOf(number));
          noticedAt = performance.now();
          noticedLines = balancer.lines.length;
        }
        const { code } = await inTime(stopped, () => 'the stop', STOP_MS);
        assert.equal(code, 0);
      });
      // Without checks a visitor may come when the port closes, and the system resets its connection.
      const lost = visits.filter((one) => !isRight(one));
      assert.ok(program.checks ? lost.length === 0 : areOfOneMoment(lost), JSON.stringify(lost));
      const later = visits.filter(({ startedAt }) => startedAt > noticedAt);
      const toStopped = balancer.lines
        .slice(noticedLines)
        .flatMap((line) =>
          line.includes(` underpass/${SERVERS[number]} `) ? (/:(\d+) \[/.exec(line)?.[1] ?? []) : [],
        );
      assert.deepEqual(
        later.filter(({ localPort }) => toStopped.includes(String(localPort))),
        [],
      );
      await runAgain(number);
    });

    test('loses what was under way on a daemon that is killed, and nothing else', async (t) => {
      const number = await daemonOf(HOSTS[0]!);
      const before = agents.slice(0, HOSTS.length).map(timesOffline);
      balancer.forgetOutput();
      let from = 0;
      let to = 0;
      const visits = await visitedDuring(async () => {
        from = performance.now();
        await daemons.daemon(number).stop('SIGKILL');
        to = performance.now();
      });
      const moved = HOSTS.filter((_, at) => timesOffline(agents[at]!) > before[at]!);
      const lost = visits.filter((one) => !isRight(one));
      const last = Math.max(from, ...lost.map(({ endedAt }) => endedAt));
      t.diagnostic(
        `${lost.length} of ${visits.length} lost within ${Math.round(last - from)} ms; longest visit ` +
          `${Math.round(Math.max(...visits.map(({ startedAt, endedAt }) => endedAt - startedAt)))} ms; moved: ${moved}`,
      );
      assert.ok(moved.includes(HOSTS[0]!));
      const unexplained = lost.filter(
        ({ host, startedAt, code }) => startedAt > to && !(moved.includes(host) && AWAY.includes(code)),
      );
      assert.deepEqual(unexplained, []);
      assert.ok(visits.slice(-10).every(isRight));
      // A daemon that starts between two checks was never down for the balancer.
      if (program.checks) await balancer.line(downOf(number));
      await runAgain(number);
    });

    if (program.checks)
      test('leads visitors to others while a daemon hangs', async () => {
        balancer.forgetOutput();
        const daemon = daemons.daemon(13);
        daemon.signal('SIGSTOP');
        try {
          await balancer.line(downOf(13));
          for (const host of HOSTS)
            await eventually(async () => assert.ok(isRight(await visitors().visit(host))));
        } finally {
          daemon.signal('SIGCONT');
        }
      });
  });
}
