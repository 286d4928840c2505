/** Reasons of connections that failed before the end of their handshake, as labels of a metric. */
import { Alert } from './client-hello.ts';

/** Reason why a connection got no further than its TLS handshake, in a few words that can be counted. */
export const handshakeFailures = [
  'proxy_header',
  'source_limit',
  'no_hello',
  'crowded_out',
  'malformed_hello',
  'plain_http',
  'no_server_name',
  'unknown_name',
  'loop',
  'no_certificate',
  'timeout',
  'client_closed',
  'client_alert',
  'no_common_version',
  'no_common_cipher',
  'client_certificate',
  'protocol_error',
] as const;

export type HandshakeFailure = (typeof handshakeFailures)[number];

/** `code`: of the error of a TLS socket, as Node makes it of OpenSSL's reason. */
export function handshakeFailure(code: string | undefined): HandshakeFailure {
  if (code === undefined) return 'protocol_error';
  if (code === 'ECONNRESET' || code === 'EPIPE') return 'client_closed';
  if (code.includes('_ALERT_')) return 'client_alert';
  if (code.includes('CERTIFICATE')) return 'client_certificate';
  if (code.includes('PROTOCOL') || code.includes('VERSION')) return 'no_common_version';
  if (code.includes('CIPHER')) return 'no_common_cipher';
  return 'protocol_error';
}

/** Reasons by the alert of a refusal. Any other alert is for a malformed hello. */
export const handshakeRefusals: Readonly<Record<number, HandshakeFailure>> = {
  [Alert.missingExtension]: 'no_server_name',
  [Alert.unrecognizedName]: 'unknown_name',
  [Alert.internalError]: 'no_certificate',
};
