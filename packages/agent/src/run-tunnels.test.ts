import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseUpstream } from './address.ts';
import type { Failure, Report } from './report.ts';
import { runTunnels } from './run-tunnels.ts';
import { AUTHTOKEN, TestService, testCertificate } from './testing/service.fixture.ts';

test('a tunnel that cannot be asked for says why, and is a failure', async (t) => {
  const service = await TestService.start();
  t.after(() => service.stop());
  const failures: Failure[] = [];
  const silent = () => {};
  const report: Report = {
    ...{
      state: silent,
      connections: silent,
      latency: silent,
      inspector: silent,
      bound: silent,
      exchange: silent,
    },
    ...{
      upstreamError: silent,
      refused: silent,
      notice: silent,
      failure: (failure) => failures.push(failure),
    },
  };
  const request = { proto: 'tls', termination: { certificate: 'no PEM', key: 'none' } } as const;
  const code = await runTunnels(
    {
      service: { server: service.address, authtoken: AUTHTOKEN, ca: testCertificate().ca },
      tunnels: [{ name: null, upstream: parseUpstream('3000'), request, quiet: false }],
      ...{ report, inspect: null },
    },
    new AbortController().signal,
  );
  assert.equal(code, 1);
  assert.match(
    failures.map(({ message }) => message).join(),
    /"termination\.certificate" holds no certificate/,
  );
});
