/** Whether TLS comes about, and the server's certificate is one that the agent takes: its chain, its name, its time. */
import { isIP } from 'node:net';
import { connect, type TLSSocket } from 'node:tls';
import { isCertificateError } from '@underpass/client/certificate-error';
import { routeTo } from '@underpass/client/loopback';
import { codeOf, reasonOf } from '../reason.ts';
import { TlsMemory } from '../tls-memory.ts';
import { type Finding, failed, ok, type Target, TIMEOUT_MS, warning } from './finding.ts';

const DAY_MS = 24 * 3_600_000;
const SOON_DAYS = 7;

export async function lookAtTls(target: Target): Promise<Finding> {
  try {
    const socket = await handshake(target);
    const finding = judge(target, socket);
    socket.destroy();
    return finding;
  } catch (error) {
    return failed(`no TLS: ${reasonOf(error)}`, handshakeRemedy(error, target));
  }
}

/** With any certificate: nothing is sent on it. */
function handshake({ server: { host, port }, service }: Target): Promise<TLSSocket> {
  return new Promise((resolve, reject) => {
    const socket = connect({
      ...routeTo(host, port),
      ...(isIP(host) === 0 ? { servername: host } : {}),
      secureContext: new TlsMemory(service.ca).secureContext,
      rejectUnauthorized: false,
    });
    socket.setTimeout(TIMEOUT_MS, () => socket.destroy(new Error(`no answer within ${TIMEOUT_MS / 1000} s`)));
    socket.once('secureConnect', () => resolve(socket));
    socket.on('error', reject);
    socket.on('close', () => reject(new Error('the connection was closed in the handshake')));
  });
}

function judge({ server, service, now }: Target, socket: TLSSocket): Finding {
  const certificate = socket.getPeerX509Certificate();
  if (certificate === undefined) return failed('the server shows no certificate', OTHER_SERVER);
  const { subjectAltName = certificate.subject, issuer, validFrom, validTo } = certificate;
  const told = `${socket.getProtocol()}, certificate for ${subjectAltName} of ${inLine(issuer)}, from ${validFrom} to ${validTo}`;
  if (!socket.authorized) {
    const code = String(socket.authorizationError);
    return failed(`${told}: ${code}`, certificateRemedy(code, server.host, service.ca !== undefined, now()));
  }
  const days = Math.floor((Date.parse(validTo) - now()) / DAY_MS);
  if (days < SOON_DAYS) return warning(`${told}, which is ${days} days`, 'Have the certificate renewed.');
  return ok(told);
}

function inLine(name: string): string {
  return name.replaceAll('\n', ', ');
}

const OTHER_SERVER =
  'Check that --server names the host and the port of the daemon for agents: connect.DOMAIN.';

function certificateRemedy(code: string, host: string, hasCa: boolean, now: number): string {
  const clock = `This machine's clock says ${new Date(now).toISOString()}: set it, or`;
  if (code.includes('ALTNAME')) return `The certificate is not for ${host}. ${OTHER_SERVER}`;
  if (code === 'CERT_HAS_EXPIRED') return `${clock} have the certificate renewed.`;
  if (code === 'CERT_NOT_YET_VALID') return `${clock} wait until the certificate is valid.`;
  if (!isCertificateError(code)) return OTHER_SERVER;
  return hasCa
    ? 'The file of --ca has not the authority that signed it. Take the ca.pem of the data directory of this daemon; a proxy in between ' +
        'that opens TLS signs with an authority of its own, which the issuer shows.'
    : 'Give the authority that signed it with --ca FILE (the daemon keeps its own in its data directory: ca.pem); a proxy in between ' +
        'that opens TLS signs with an authority of its own, which the issuer shows.';
}

function handshakeRemedy(error: unknown, { server }: Target): string {
  const code = codeOf(error);
  if (
    code === 'ERR_SSL_WRONG_VERSION_NUMBER' ||
    code === 'ERR_SSL_PACKET_LENGTH_TOO_LONG' ||
    code === 'EPROTO'
  )
    return `What listens on port ${server.port} speaks no TLS. ${OTHER_SERVER}`;
  return `The server, or something in between, ends the handshake for ${server.host}. ${OTHER_SERVER}`;
}
