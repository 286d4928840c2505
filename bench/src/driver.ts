/**
 * The load: closed-loop requests over kept-alive connections, by `wrk` where it is installed, else by Node.
 * Never beyond this machine: every name is dialled on loopback.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findProgram, type Target } from './peers/peer.ts';

export interface Load {
  /** Requested in turn. */
  readonly paths: readonly string[];
  readonly connections: number;
  readonly seconds: number;
  readonly method?: string;
  /** `{n}` in it becomes a number that differs from request to request. */
  readonly body?: string;
}

export interface Outcome {
  readonly requests: number;
  readonly requestsPerSecond: number;
  /** Answers outside 200–299, and connections that broke. */
  readonly errors: number;
  /** Milliseconds within which 99 of 100 were answered. */
  readonly p99Ms: number;
}

const wrk = findProgram('wrk');
export const driverName =
  wrk === null ? 'Node (wrk is missing: the results of fast peers are understated)' : 'wrk';

/** `signal` ends the load early, which rejects. */
export async function drive(target: Target, load: Load, signal?: AbortSignal): Promise<Outcome> {
  return wrk === null ? await driveByNode(target, load, signal) : await driveByWrk(wrk, target, load, signal);
}

async function driveByWrk(
  program: string,
  target: Target,
  load: Load,
  signal?: AbortSignal,
): Promise<Outcome> {
  const dir = mkdtempSync(join(tmpdir(), 'underpass-wrk-'));
  const script = join(dir, 'load.lua');
  const headers = Object.entries(target.headers ?? {}).map(
    ([name, value]) => `wrk.headers[${lua(name)}] = ${lua(value)}`,
  );
  writeFileSync(
    script,
    `function wrk.resolve(host, service) wrk.addrs = wrk.lookup(${lua(target.address ?? '127.0.0.1')}, service) end
     wrk.method = ${lua(load.method ?? 'GET')}
     ${load.body === undefined ? '' : `wrk.body = ${lua(load.body)}\nwrk.headers["Content-Type"] = "application/json"`}
     ${headers.join('\n')}
     local paths = {${load.paths.map(lua).join(',')}}
     local body = ${load.body?.includes('{n}') ? lua(load.body) : 'nil'}
     local n = 0
     if #paths > 1 or body then
       request = function()
         n = n + 1
         return wrk.format(nil, paths[n % #paths + 1], nil, body and body:gsub("{n}", n) or wrk.body)
       end
     end
     function done(summary, latency) io.write(string.format("RESULT %d %d %d %d\\n", latency:percentile(99), summary.requests, summary.duration, summary.errors.status + summary.errors.connect + summary.errors.read + summary.errors.write + summary.errors.timeout)) end`,
  );
  const url = `${target.scheme}://${target.host}:${target.port}${load.paths[0]}`;
  const child = spawn(program, ['-t1', `-c${load.connections}`, `-d${load.seconds}s`, '-s', script, url], {
    stdio: ['ignore', 'pipe', 'inherit'],
    ...(signal && { signal }),
  });
  child.on('error', () => {});
  let output = '';
  child.stdout.on('data', (chunk: Buffer) => {
    output += chunk.toString();
  });
  await once(child, 'close');
  rmSync(dir, { recursive: true });
  const [, p99, requests, micros, errors] = /RESULT (\d+) (\d+) (\d+) (\d+)/.exec(output) ?? [];
  if (requests === undefined) throw new Error(`wrk printed no result:\n${output}`);
  const seconds = Number(micros) / 1e6;
  return {
    requests: Number(requests),
    requestsPerSecond: Number(requests) / seconds,
    errors: Number(errors),
    p99Ms: Number(p99) / 1000,
  };
}

async function driveByNode(target: Target, load: Load, signal?: AbortSignal): Promise<Outcome> {
  const script = new URL('node-driver.ts', import.meta.url).pathname;
  const { stdout } = await new Promise<{ stdout: string }>((resolve) => {
    const child = spawn(process.execPath, [script, JSON.stringify({ target, load })], {
      stdio: ['ignore', 'pipe', 'inherit'],
      ...(signal && { signal }),
    });
    child.on('error', () => {});
    let text = '';
    child.stdout.on('data', (chunk: Buffer) => {
      text += chunk.toString();
    });
    child.on('close', () => resolve({ stdout: text }));
  });
  return JSON.parse(stdout) as Outcome;
}

function lua(text: string): string {
  return `"${text.replace(/[\\"]/g, '\\$&').replace(/\n/g, '\\n')}"`;
}
