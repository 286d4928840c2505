/** nginx, Caddy and HAProxy as plain reverse proxies of one origin, for comparing. */
import { chmodSync, existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { freePorts } from './free-ports.ts';
import { missing } from './missing.ts';
import { Process } from './process.ts';
import { eventually } from './until.ts';

interface Setup {
  readonly folder: string;
  readonly port: number;
  readonly origin: number;
}

interface Program {
  readonly config: (setup: Setup) => string;
  readonly args: (folder: string, config: string) => readonly string[];
}

const programs = {
  nginx: {
    config: ({ folder, port, origin }) => `
      ${process.getuid?.() === 0 ? 'user root;' : ''}
      daemon off;
      pid ${folder}/nginx.pid;
      error_log stderr;
      events {}
      http {
        access_log off;
        ${['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((of) => `${of}_temp_path ${folder}/${of};`).join(' ')}
        server {
          listen 127.0.0.1:${port};
          location / {
            proxy_pass http://127.0.0.1:${origin};
            proxy_http_version 1.1;
            proxy_set_header Connection "";
            proxy_read_timeout 3s;
          }
        }
      }`,
    args: (folder, config) => ['-p', folder, '-c', config],
  },
  caddy: {
    config: ({ folder, port, origin }) => `
      {
        admin off
        auto_https off
        storage file_system ${folder}/storage
      }
      http://:${port} {
        bind 127.0.0.1
        reverse_proxy 127.0.0.1:${origin} {
          transport http {
            read_timeout 3s
          }
        }
      }
      `,
    args: (_folder, config) => ['run', '--adapter', 'caddyfile', '--config', config],
  },
  haproxy: {
    config: ({ port, origin }) => `
      defaults
        mode http
        timeout connect 3s
        timeout client 10s
        timeout server 3s
      frontend visitors
        bind 127.0.0.1:${port}
        default_backend service
      backend service
        server one 127.0.0.1:${origin}
      `,
    args: (_folder, config) => ['-db', '-f', config],
  },
} satisfies Record<string, Program>;

export type ReverseProxyName = keyof typeof programs;
export const reverseProxies = Object.keys(programs) as readonly ReverseProxyName[];

/** Returns the reason why there is none to compare with, for node:test's `skip`; false if it is installed. */
export function reverseProxyMissing(name: ReverseProxyName): string | false {
  return missing(name, pathOf(name) !== null, name);
}

function pathOf(name: ReverseProxyName): string | null {
  const folders = [...(process.env.PATH ?? '').split(delimiter), '/usr/sbin'];
  return folders.map((folder) => join(folder, name)).find((path) => existsSync(path)) ?? null;
}

export class ReverseProxy {
  readonly port: number;
  readonly #folder: string;
  readonly #process: Process;

  private constructor(port: number, folder: string, process: Process) {
    this.port = port;
    this.#folder = folder;
    this.#process = process;
  }

  /** `origin`: a port of this machine. */
  static async start(name: ReverseProxyName, origin: number): Promise<ReverseProxy> {
    const folder = mkdtempSync(join(tmpdir(), `underpass-${name}-`));
    // Whatever user its workers run as.
    chmodSync(folder, 0o755);
    const [port = 0] = await freePorts(1);
    const { config, args } = programs[name];
    const path = join(folder, 'config');
    // HAProxy refuses a file whose last line has no end.
    writeFileSync(path, `${config({ folder, port, origin })}\n`);
    const started = Process.program(pathOf(name) ?? name, args(folder, path), { env: { HOME: folder } });
    const proxy = new ReverseProxy(port, folder, started);
    await eventually(() => accepts(port)).catch(async (error: unknown) => {
      await proxy.stop();
      throw error;
    });
    return proxy;
  }

  async stop(): Promise<void> {
    await this.#process.stop();
    rmSync(this.#folder, { recursive: true, force: true });
  }
}

function accepts(port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = connect({ port, host: '127.0.0.1' });
    socket.once('error', reject);
    socket.once('connect', () => {
      socket.destroy();
      resolve();
    });
  });
}
