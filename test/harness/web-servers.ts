/**
 * nginx and Caddy, as services behind the platform, each in its own folder. Each has the connection of a request in
 * `x-connection`, serves the files of its folder, and passes all other paths on to an origin.
 */
import { accessSync, chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
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
          add_header X-Connection $connection always;
          root ${folder}/files;
          location = /file.txt {}
          location / {
            proxy_pass http://127.0.0.1:${origin};
            proxy_http_version 1.1;
            proxy_set_header Upgrade $http_upgrade;
            proxy_set_header Connection $http_connection;
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
        header X-Connection {http.request.remote.port}
        root * ${folder}/files
        handle /file.txt {
          file_server
        }
        handle {
          reverse_proxy 127.0.0.1:${origin}
        }
      }
      `,
    args: (_folder, config) => ['run', '--adapter', 'caddyfile', '--config', config],
  },
} satisfies Record<string, Program>;

export type WebServerName = keyof typeof programs;
export const webServers = Object.keys(programs) as readonly WebServerName[];

/** Returns the reason why there is none to test with, for node:test's `skip`; false when there is one. */
export function webServerMissing(name: WebServerName): string | false {
  return missing(name, pathOf(name) !== null, name);
}

function pathOf(name: WebServerName): string | null {
  const folders = [...(process.env.PATH ?? '').split(delimiter), '/usr/sbin'];
  return folders.map((folder) => join(folder, name)).find(isThere) ?? null;
}

function isThere(path: string): boolean {
  try {
    accessSync(path);
    return true;
  } catch {
    return false;
  }
}

export class WebServer {
  readonly port: number;
  readonly #folder: string;
  readonly #process: Process;

  private constructor(port: number, folder: string, process: Process) {
    this.port = port;
    this.#folder = folder;
    this.#process = process;
  }

  /** `file` is what it serves as `/file.txt`, `origin` the port of an HTTP server for all other paths. */
  static async start(name: WebServerName, file: string, origin: number): Promise<WebServer> {
    const folder = mkdtempSync(join(tmpdir(), `underpass-${name}-`));
    // Whatever user its workers run as.
    chmodSync(folder, 0o755);
    mkdirSync(join(folder, 'files'));
    writeFileSync(join(folder, 'files', 'file.txt'), file);
    const [port = 0] = await freePorts(1);
    const { config, args } = programs[name];
    const path = join(folder, 'config');
    writeFileSync(path, config({ folder, port, origin }));
    const env = { HOME: folder };
    const server = new WebServer(
      port,
      folder,
      Process.program(pathOf(name) ?? name, args(folder, path), { env }),
    );
    await eventually(async () => {
      await (await fetch(`http://127.0.0.1:${port}/file.txt`)).text();
    }).catch(async (error: unknown) => {
      await server.stop();
      throw error;
    });
    return server;
  }

  async stop(): Promise<void> {
    await this.#process.stop();
    rmSync(this.#folder, { recursive: true, force: true });
  }
}
