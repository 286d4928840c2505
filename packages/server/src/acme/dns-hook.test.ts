import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, describe, type TestContext, test } from 'node:test';
import { until } from '../../../../test/harness/until.ts';
import type { Hostname } from '../core/names/hostname.ts';
import { LookupError } from '../dns/resolver.ts';
import { AcmeFailure } from './acme-failure.ts';
import { DnsHook, type DnsHookOptions } from './dns-hook.ts';

const never = new AbortController().signal;
const name = 'good.acme.example.com' as Hostname;

describe('the command of --dns-hook', () => {
  let logged: object[];
  beforeEach(() => {
    logged = [];
  });

  /** Creates a hook that records its calls, and fails for all names but one. */
  function hookFor(t: TestContext, options: Pick<DnsHookOptions, 'lookup' | 'seenMs'>, then = '') {
    const folder = mkdtempSync(join(tmpdir(), 'underpass-dns-hook-'));
    t.after(() => rmSync(folder, { recursive: true }));
    const [command, calls] = [join(folder, 'hook'), join(folder, 'calls')];
    const script = `#!/bin/sh\necho "$# $*" >> ${calls}\n[ "$2" = ${name} ] || { echo secret >&2; exit 3; }\n${then}`;
    writeFileSync(command, script, { mode: 0o755 });
    const log = { warn: (about: object) => void logged.push(about) };
    return { hook: new DnsHook({ command, log, ...options }), calls };
  }

  test('receives the records to add and to remove, and its failure is one of the attempt', async (t) => {
    const { hook, calls } = hookFor(t, { lookup: { texts: async () => ['a $(value)'] } });
    await hook.add(name, 'a $(value)', never);
    await hook.clear(name);
    assert.equal(readFileSync(calls, 'utf8'), `3 add ${name} a $(value)\n2 remove ${name}\n`);
    await assert.rejects(hook.add('bad.acme.example.com' as Hostname, 'value', never), (error) => {
      return error instanceof AcmeFailure && !error.message.includes('secret');
    });
    assert.match(JSON.stringify(logged), /secret/);
  });

  test('has the record in its environment, which no value makes an option, and no key of the daemon', async (t) => {
    const value = '-Yq0f';
    const then = 'echo "$DNS_RECORD$UNDERPASS_OTHER" >> "$0.records"';
    const { hook, calls } = hookFor(t, { lookup: { texts: async () => [value] } }, then);
    process.env.UNDERPASS_OTHER = 'a key';
    t.after(() => delete process.env.UNDERPASS_OTHER);
    await hook.add(name, value, never);
    await hook.clear(name);
    const records = readFileSync(calls.replace(/calls$/, 'hook.records'), 'utf8');
    assert.equal(records, `${name}. 60 IN TXT "${value}"\n${name}. IN TXT\n`);
  });

  test('has to have brought the text into DNS before an authority is asked to look', async (t) => {
    const unknown = new LookupError(name, 'TXT', new Error('no answer'));
    const answers: (readonly string[] | Error)[] = [[], unknown, ['of before'], ['of before', 'value']];
    const texts = async (asked: string): Promise<readonly string[]> => {
      assert.equal(asked, name);
      const answer = answers.shift();
      if (answer instanceof Error) throw answer;
      return answer ?? [];
    };
    await hookFor(t, { lookup: { texts } }).hook.add(name, 'value', never);
    assert.deepEqual(answers, []);
  });

  test('is a failure if DNS never has the text, and the operator is notified of the reason', async (t) => {
    const { hook } = hookFor(t, { lookup: { texts: async () => ['another'] }, seenMs: 1 });
    await assert.rejects(hook.add(name, 'value', never), (error) => {
      return error instanceof AcmeFailure && error.message.includes(`at ${name} is not seen in DNS`);
    });
    assert.match(JSON.stringify(logged), /other texts/);
  });

  test('ends with the attempt, whether it runs or its text is waited for', async (t) => {
    const texts = async (): Promise<readonly string[]> => [];
    for (const then of ['exec sleep 600', '']) {
      const attempt = new AbortController();
      const { hook, calls } = hookFor(t, { lookup: { texts } }, then);
      const adding = assert.rejects(hook.add(name, 'value', attempt.signal));
      await until(() => existsSync(calls));
      attempt.abort();
      await adding;
    }
  });
});
