import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import type { Hostname } from '../core/hostname.ts';
import { AcmeFailure } from './acme-failure.ts';
import { DnsHook } from './dns-hook.ts';

test('the command is told what to add and what to remove, and its failure is one of the attempt', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'underpass-dns-hook-'));
  t.after(() => rmSync(folder, { recursive: true }));
  const [command, calls] = [join(folder, 'hook'), join(folder, 'calls')];
  const script = `#!/bin/sh\necho "$# $*" >> ${calls}\n[ "$2" = good.acme.example.com ] || { echo secret >&2; exit 3; }\n`;
  writeFileSync(command, script, { mode: 0o755 });
  const logged: object[] = [];
  const hook = new DnsHook(command, { warn: (about: object) => void logged.push(about) });
  await hook.add('good.acme.example.com' as Hostname, 'a $(value)');
  await hook.clear('good.acme.example.com' as Hostname);
  assert.equal(
    readFileSync(calls, 'utf8'),
    '3 add good.acme.example.com a $(value)\n2 remove good.acme.example.com\n',
  );
  await assert.rejects(hook.add('bad.acme.example.com' as Hostname, 'value'), (error) => {
    return error instanceof AcmeFailure && !error.message.includes('secret');
  });
  assert.match(JSON.stringify(logged), /secret/);
});
