/** Checks the TLS handshake and the server's certificate: its chain, its name, its time. */
import { isIP } from 'node:net';
import { connect, type TLSSocket } from 'node:tls';
import { isCertificateError } from '@underpass/client/certificate-error';
import { routeTo } from '@underpass/client/loopback';
import { PinError } from '@underpass/client/pinned-authority';
import { certificateAdvice } from '../advice.ts';
import { reasonOf, tlsReasonOf } from '../reason.ts';
import { serversIn } from '../served-hosts.ts';
import { type Finding, failed, ok, type Target, TIMEOUT_MS, warning } from './finding.ts';

const DAY_MS = 24 * 3_600_000;
const SOON_DAYS = 7;

export async function lookAtTls(target: Target): Promise<Finding> {
  const { server, tls, now } = target;
  const limits = { signal: new AbortController().signal, timeoutMs: TIMEOUT_MS };
  try {
    await tls.findAuthority(server, limits);
    const socket = await handshake(target);
    const finding = judge(target, socket);
    socket.destroy();
    return finding;
  } catch (error) {
    if (error instanceof PinError) return failed(error.message, certificateAdvice(error.code, now()));
    return failed(`no TLS: ${reasonOf(error)}`, handshakeRemedy(error, target));
  }
}

/** Accepts any certificate, because nothing is sent on the connection. */
function handshake({ server: { host, port }, tls }: Target): Promise<TLSSocket> {
  return new Promise((resolve, reject) => {
    const socket = connect({
      ...routeTo(host, port),
      ...(isIP(host) === 0 ? { servername: host } : {}),
      secureContext: tls.secureContext,
      rejectUnauthorized: false,
    });
    socket.setTimeout(TIMEOUT_MS, () => socket.destroy(new Error(`no answer within ${TIMEOUT_MS / 1000} s`)));
    socket.once('secureConnect', () => resolve(socket));
    socket.on('error', reject);
    socket.on('close', () => reject(new Error('the connection was closed in the handshake')));
  });
}

function judge({ now, service }: Target, socket: TLSSocket): Finding {
  const certificate = socket.getPeerX509Certificate();
  if (certificate === undefined) return failed('the server shows no certificate', OTHER_SERVER);
  const { subjectAltName = certificate.subject, issuer, validFrom, validTo } = certificate;
  const told = `${socket.getProtocol()}, certificate for ${subjectAltName} of ${inLine(issuer)}, from ${validFrom} to ${validTo}`;
  if (!socket.authorized) {
    const code = String(socket.authorizationError);
    return failed(
      `${told}: ${code}`,
      isCertificateError(code)
        ? certificateAdvice(code, now(), serversIn(subjectAltName, service.server))
        : OTHER_SERVER,
    );
  }
  const days = Math.floor((Date.parse(validTo) - now()) / DAY_MS);
  if (days < SOON_DAYS) return warning(`${told}, which is ${days} days`, 'Renew the certificate.');
  return ok(told);
}

function inLine(name: string): string {
  return name.replaceAll('\n', ', ');
}

const OTHER_SERVER =
  'Check that --server names the host and the port of the daemon for agents: connect.DOMAIN.';

function handshakeRemedy(error: unknown, { server }: Target): string {
  if (/wrong version number|packet length too long/.test(tlsReasonOf(error) ?? ''))
    return `What listens on port ${server.port} speaks no TLS. ${OTHER_SERVER}`;
  return `The server, or something in between, ends the handshake for ${server.host}. ${OTHER_SERVER}`;
}
