/** Compares this machine's clock with the server's. */
import { request } from 'node:https';
import { isIP } from 'node:net';
import { routeTo } from '@underpass/client/loopback';
import { type Finding, ok, skipped, type Target, TIMEOUT_MS, warning } from './finding.ts';

/** The clock error that certificates and signed webhooks tolerate. */
const SKEW_MS = 60_000;

/** The agent protocol has no time. The API sends it in each response, on the same port. */
export async function lookAtClock(target: Target): Promise<Finding> {
  const { server, now } = target;
  const host = `api.${server.host.split('.').slice(1).join('.')}`;
  if (isIP(server.host) !== 0 || !server.host.includes('.')) return skipped('no API there sends the time');
  const date = await dateOf(target, host);
  if (date === null) return skipped(`${host} does not send the time`);
  const skew = now() - date;
  const seconds = Math.round(Math.abs(skew) / 1000);
  if (Math.abs(skew) < SKEW_MS) return ok(`as the server's, to ${Math.max(seconds, 1)} s`);
  return warning(
    `this machine's clock is ${seconds} s ${skew > 0 ? 'ahead of' : 'behind'} the server's`,
    'Set the clock, and have it kept ("timedatectl set-ntp true"): certificates and signatures are judged by it.',
  );
}

/** Returns milliseconds since 1970, to the second; null if the response has no date. */
function dateOf({ server, tls }: Target, host: string): Promise<number | null> {
  return new Promise((resolve) => {
    const asked = request({
      // Connects to the server's address, whatever the DNS of the other name is.
      ...routeTo(server.host, server.port),
      servername: host,
      method: 'HEAD',
      path: '/',
      headers: { host },
      agent: false,
      ...(tls.ca === undefined ? {} : { ca: tls.ca, allowPartialTrustChain: true }),
      timeout: TIMEOUT_MS,
    });
    asked.on('timeout', () => asked.destroy());
    asked.on('error', () => resolve(null));
    asked.on('response', (answer) => {
      const date = Date.parse(answer.headers.date ?? '');
      answer.destroy();
      resolve(Number.isNaN(date) ? null : date);
    });
    asked.end();
  });
}
