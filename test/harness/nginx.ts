/** nginx as a load balancer for bytes, with the PROXY protocol. */
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePorts } from './free-ports.ts';
import { missing } from './missing.ts';
import { Process } from './process.ts';
import { eventually } from './until.ts';

const PROGRAM = '/usr/sbin/nginx';
const STREAM_MODULE = '/usr/lib/nginx/modules/ngx_stream_module.so';
/** Reason why tests that need it are skipped; false when it is there. */
export const nginxMissing = missing(
  'nginx with its stream module',
  [PROGRAM, STREAM_MODULE].every((path) => existsSync(path)),
  'nginx',
  'libnginx-mod-stream',
);

export class LoadBalancer {
  readonly port: number;
  readonly #process: Process;
  readonly #directory: string;

  private constructor(port: number, process: Process, directory: string) {
    this.port = port;
    this.#process = process;
    this.#directory = directory;
  }

  /** Listens at every loopback address; connects to a port of this machine from an address of its own. */
  static async start(to: number, from: string): Promise<LoadBalancer> {
    const [port = 0] = await freePorts(1);
    const directory = mkdtempSync(join(tmpdir(), 'nginx-test-'));
    const config = join(directory, 'nginx.conf');
    writeFileSync(
      config,
      `load_module ${STREAM_MODULE}; daemon off; pid ${directory}/nginx.pid; error_log stderr;
       events { worker_connections 64; }
       stream { server { listen ${port}; proxy_pass 127.0.0.1:${to}; proxy_bind ${from}; proxy_protocol on; } }`,
    );
    const started = Process.program(PROGRAM, ['-c', config, '-p', directory, '-e', 'stderr'], {
      group: true,
    });
    const balancer = new LoadBalancer(port, started, directory);
    await eventually(
      () =>
        new Promise<void>((resolve, reject) => {
          const socket = connect({ port, host: '127.0.0.1' });
          socket.once('error', reject);
          socket.once('connect', () => {
            socket.destroy();
            resolve();
          });
        }),
    ).catch(async (error: unknown) => {
      await balancer.stop();
      throw error;
    });
    return balancer;
  }

  async stop(): Promise<void> {
    await this.#process.stop();
    rmSync(this.#directory, { recursive: true });
  }
}
