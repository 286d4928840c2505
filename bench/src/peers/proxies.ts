/** nginx and Caddy with TLS before one upstream, with keep-alive and no access log. */
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { freePorts } from '@underpass/test';
import type { Certificate } from '../certificate.ts';
import { stopChild, untilListening } from '../children.ts';
import { findProgram, isMissing, type MissingPeer, type Peer } from './peer.ts';

/** Path of the module in Debian; other builds of nginx include it. */
const STREAM_MODULE = '/usr/lib/nginx/modules/ngx_stream_module.so';

/** A reverse proxy for HTTP. It answers /fixed itself. */
export function startNginx(
  parent: string,
  certificate: Certificate,
  upstreamPort: number,
  name = 'nginx, no tunnel',
  /** Protocol beside HTTP/1.1. */
  protocol: '' | 'http2' = '',
): Promise<Peer | MissingPeer> {
  return runNginx(parent, name, (dir, port) => {
    const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
      (kind) => `${kind}_temp_path ${dir}/${kind};`,
    );
    return `http {
       access_log off; keepalive_requests 100000000; client_max_body_size 0; ${temporary.join(' ')}
       upstream backend { server 127.0.0.1:${upstreamPort}; keepalive 64; keepalive_requests 100000000; }
       server {
         listen 127.0.0.1:${port} ssl ${protocol};
         ${secured(certificate)}
         location = /fixed { default_type text/plain; return 200 "Hello, world\\n"; }
         location / {
           proxy_pass http://backend; proxy_http_version 1.1; proxy_set_header Connection "";
           proxy_max_temp_file_size 0; proxy_request_buffering off;
         }
       }
     }`;
  });
}

/** Ends TLS and passes on what is in it. */
export function startNginxStream(
  parent: string,
  certificate: Certificate,
  upstreamPort: number,
): Promise<Peer | MissingPeer> {
  return runStream(parent, 'nginx stream, no tunnel', ['ssl', secured(certificate)], upstreamPort);
}

/** Passes on what comes. */
export async function startNginxTcp(
  parent: string,
  upstreamPort: number,
  name: string,
): Promise<Peer | MissingPeer> {
  const peer = await runStream(parent, name, ['', ''], upstreamPort);
  return isMissing(peer) ? peer : { ...peer, target: { ...peer.target, scheme: 'http' } };
}

async function runStream(
  parent: string,
  name: string,
  [kind, settings]: readonly [string, string],
  upstreamPort: number,
): Promise<Peer | MissingPeer> {
  const load = existsSync(STREAM_MODULE) ? `load_module ${STREAM_MODULE};` : '';
  const stream = (_dir: string, port: number): string => `stream {
       server { listen 127.0.0.1:${port} ${kind}; ${settings} proxy_pass 127.0.0.1:${upstreamPort}; }
     }`;
  return await runNginx(parent, name, stream, load);
}

function secured({ certFile, keyFile }: Certificate): string {
  return `ssl_certificate ${certFile}; ssl_certificate_key ${keyFile}; ssl_protocols TLSv1.2 TLSv1.3;`;
}

async function runNginx(
  parent: string,
  name: string,
  serve: (dir: string, port: number) => string,
  load = '',
): Promise<Peer | MissingPeer> {
  const program = findProgram('nginx');
  if (program === null) return { name, missing: 'nginx' };
  const dir = mkdtempSync(join(parent, 'nginx-'));
  const port = (await freePorts(1))[0] as number;
  const config = join(dir, 'nginx.conf');
  writeFileSync(
    config,
    `${load} daemon off; worker_processes 2; pid ${dir}/nginx.pid; error_log ${dir}/nginx.log;
     events { worker_connections 4096; }
     ${serve(dir, port)}`,
  );
  const args = ['-c', config, '-p', dir];
  if (spawnSync(program, [...args, '-t']).status !== 0) return { name, missing: 'a module of nginx for it' };
  const child = spawn(program, args, { stdio: 'ignore' });
  await untilListening(port);
  return {
    name,
    target: { scheme: 'https', host: 'bench.localhost', port },
    pids: [child.pid as number],
    stop: () => stopChild(child, 'SIGQUIT'),
  };
}

export async function startCaddy(
  dir: string,
  certificate: Certificate,
  upstreamPort: number,
): Promise<Peer | MissingPeer> {
  const program = findProgram('caddy');
  if (program === null) return { name: 'Caddy, no tunnel', missing: 'caddy' };
  const port = (await freePorts(1))[0] as number;
  const config = join(dir, 'Caddyfile');
  writeFileSync(
    config,
    `{
       admin off
       auto_https off
       storage file_system ${dir}/caddy
     }
     https://bench.localhost:${port} {
       bind 127.0.0.1
       tls ${certificate.certFile} ${certificate.keyFile}
       reverse_proxy 127.0.0.1:${upstreamPort}
     }\n`,
  );
  const child = spawn(program, ['run', '--config', config, '--adapter', 'caddyfile'], {
    stdio: 'ignore',
    env: { ...process.env, HOME: dir },
  });
  await untilListening(port);
  return {
    name: 'Caddy, no tunnel',
    target: { scheme: 'https', host: 'bench.localhost', port },
    pids: [child.pid as number],
    stop: () => stopChild(child),
  };
}
