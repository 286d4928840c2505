/** The command of the agent as a process of its own, with what it has printed so far. */
import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { fileURLToPath } from 'node:url';
import { startedFor } from '../../../../test/harness/repository-command.ts';
import { ConditionVariable } from '../../../../test/harness/until.ts';
import { AUTHTOKEN, TestService, testCertificate } from './service.fixture.ts';
import { serve } from './upstream.fixture.ts';

export const BIN = startedFor(fileURLToPath(new URL('../../bin/underpass.js', import.meta.url)));

class Running {
  readonly child: ChildProcess;
  readonly code: Promise<number | null>;
  out = '';
  err = '';
  readonly #changes = new ConditionVariable();

  constructor(args: readonly string[], cwd: string, env: Readonly<Record<string, string>> = {}) {
    const inherited = Object.entries(process.env).filter(([name]) => !name.startsWith('UNDERPASS_'));
    this.child = spawn(process.execPath, [BIN, ...args], {
      cwd,
      env: { ...Object.fromEntries(inherited), ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    this.child.stdout?.on('data', (chunk) => {
      this.out += chunk;
      this.#changes.notify();
    });
    this.child.stderr?.on('data', (chunk) => {
      this.err += chunk;
      this.#changes.notify();
    });
    this.code = new Promise((resolve) => this.child.on('close', resolve));
  }

  async until(pattern: RegExp): Promise<void> {
    await this.#changes.until(
      () => pattern.test(this.out),
      () => `${pattern} in ${this.out}\n${this.err}`,
    );
  }

  /** Lines of `--json` without their times, each of which is checked. */
  get events(): Record<string, unknown>[] {
    return this.out
      .split('\n')
      .slice(0, -1)
      .map((line) => {
        const { time, ...event } = JSON.parse(line) as Record<string, unknown>;
        assert.match(String(time), /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
        return event;
      });
  }
}

interface Installation {
  readonly service: TestService;
  readonly cwd: string;
  readonly run: (args: readonly string[], env?: Readonly<Record<string, string>>) => Running;
}

/** A service, and a folder as a daemon leaves it after its first start. */
export async function install(t: TestContext, authtoken = AUTHTOKEN): Promise<Installation> {
  const service = await TestService.start();
  const cwd = mkdtempSync(join(tmpdir(), 'underpass-agent-'));
  mkdirSync(join(cwd, 'data'));
  writeFileSync(join(cwd, 'data', 'ca.pem'), testCertificate().ca);
  const bootstrap = { connect_addr: service.address, authtoken, ca_file: join(cwd, 'data', 'ca.pem') };
  writeFileSync(join(cwd, 'data', 'bootstrap.json'), JSON.stringify(bootstrap));
  const running: Running[] = [];
  t.after(async () => {
    for (const it of running) it.child.kill('SIGKILL');
    await service.stop();
    rmSync(cwd, { recursive: true, force: true });
  });
  const run: Installation['run'] = (args, env) => {
    const isQuiet =
      !['http', 'start'].includes(args[0] ?? '') || args.some((arg) => arg.startsWith('--inspect'));
    const it = new Running(isQuiet ? args : [...args, '--inspect=false'], cwd, env);
    running.push(it);
    return it;
  };
  return { service, cwd, run };
}

export async function hello(t: TestContext): Promise<string> {
  const upstream = await serve(createServer((_request, response) => response.end('hello')));
  t.after(() => upstream.stop());
  return String(upstream.port);
}

export const GET = (path: string) => `GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`;
