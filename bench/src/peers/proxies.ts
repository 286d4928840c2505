/** nginx and Caddy as plain TLS reverse proxies, with keep-alive to the upstream and no access log. */
import { spawn } from 'node:child_process';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { freePorts } from '@underpass/test';
import type { Certificate } from '../certificate.ts';
import { stopChild, untilListening } from '../children.ts';
import { findProgram, type MissingPeer, type Peer } from './peer.ts';

export async function startNginx(
  parent: string,
  certificate: Certificate,
  upstreamPort: number,
  name = 'nginx, no tunnel',
): Promise<Peer | MissingPeer> {
  const program = findProgram('nginx');
  if (program === null) return { name, missing: 'nginx' };
  const dir = mkdtempSync(join(parent, 'nginx-'));
  const port = (await freePorts(1))[0] as number;
  const config = join(dir, 'nginx.conf');
  writeFileSync(
    config,
    `daemon off; worker_processes 2; pid ${dir}/nginx.pid; error_log ${dir}/nginx.log;
     events { worker_connections 1024; }
     http {
       access_log off; keepalive_requests 100000000;
       client_body_temp_path ${dir}/b; proxy_temp_path ${dir}/p; fastcgi_temp_path ${dir}/f; uwsgi_temp_path ${dir}/u; scgi_temp_path ${dir}/s;
       upstream backend { server 127.0.0.1:${upstreamPort}; keepalive 64; keepalive_requests 100000000; }
       server {
         listen 127.0.0.1:${port} ssl;
         ssl_certificate ${certificate.certFile}; ssl_certificate_key ${certificate.keyFile};
         location / { proxy_pass http://backend; proxy_http_version 1.1; proxy_set_header Connection ""; proxy_max_temp_file_size 0; }
       }
     }`,
  );
  const child = spawn(program, ['-c', config, '-p', dir], { stdio: 'ignore' });
  await untilListening(port);
  return {
    name,
    target: { scheme: 'https', host: 'bench.localhost', port },
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
    stop: () => stopChild(child),
  };
}
