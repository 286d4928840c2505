/** Counters of what was refused, by reason. Never a label that comes from outside. */

import type { Observed } from '../api/server.ts';
import { type HandshakeFailure, handshakeFailures } from '../edge/listeners/handshake-failure.ts';
import { catalogue, type ErrorName } from '../errors/catalogue.ts';
import { Counter, counterFromZero, type Registry } from './prometheus.ts';

export interface Refusals {
  readonly apiRequest: (request: Observed) => void;
  readonly agent: (what: 'authentication' | 'bind', reason: ErrorName) => void;
  readonly handshakeFailed: (reason: HandshakeFailure) => void;
  /** `code`: as the system names it. */
  readonly acceptFailed: (code: string) => void;
  /** `code`: as the system names it. */
  readonly listenFailed: (code: string) => void;
}

/** Refused although the key is good. */
const REFUSED_SOURCE: ErrorName = 'apiSourceRefused';
/** Codes of `accept` if the machine lacks a resource; other codes share one label. */
const ACCEPT_ERRORS: readonly string[] = ['EMFILE', 'ENFILE', 'ENOBUFS', 'ENOMEM', 'ECONNABORTED'];

/** Codes of a failed listen; EMFILE: too many files. */
const LISTEN_ERRORS: readonly string[] = ['EADDRINUSE', 'EACCES', 'EADDRNOTAVAIL', 'EMFILE', 'ENFILE'];

/** Counts refusals and failed starts. Labels are from lists of the program, never from a peer. */
export function countRefusals(registers: Registry[]): Refusals {
  const counter = <L extends string>(name: string, help: string, labelNames: L[]): Counter<L> =>
    new Counter({ name, help, labelNames, registers });
  const authentication = counter(
    'underpass_authentication_failures_total',
    'API requests and agents that were refused for who they are, by="api" or by="agent", and by reason, a name of docs/build/errors.md',
    ['by', 'reason'],
  );
  const binds = counter(
    'underpass_tunnel_bind_failures_total',
    'Binds of agents that were refused, by reason, a name of docs/build/errors.md',
    ['reason'],
  );
  const listed = (name: string, help: string, reason: readonly string[]): Counter<'reason'> =>
    counterFromZero({ name, help, labels: { reason }, registers });
  const handshakes = listed(
    'underpass_tls_handshake_failures_total',
    `Connections that ended before they had TLS or a name to be passed to, by reason: ${handshakeFailures.join(', ')}`,
    handshakeFailures,
  );
  const accepts = listed(
    'underpass_accept_failures_total',
    `Connections that could not be accepted, by reason: ${ACCEPT_ERRORS.join(', ')} or other; EMFILE: those beyond underpass_front_door_connections_limit`,
    [...ACCEPT_ERRORS, 'other'],
  );
  const listens = listed(
    'underpass_tcp_listen_failures_total',
    `Attempts to listen on the port of a TCP edge that failed, by reason: ${LISTEN_ERRORS.join(', ')} or other; EMFILE: more ports than there are file descriptors for`,
    [...LISTEN_ERRORS, 'other'],
  );
  return {
    apiRequest({ fault }) {
      if (fault !== null && (catalogue[fault].status === 401 || fault === REFUSED_SOURCE))
        authentication.inc({ by: 'api', reason: fault });
    },
    agent(what, reason) {
      if (what === 'bind') binds.inc({ reason });
      else authentication.inc({ by: 'agent', reason });
    },
    handshakeFailed: (reason) => handshakes.inc({ reason }),
    acceptFailed: (code) => accepts.inc({ reason: ACCEPT_ERRORS.includes(code) ? code : 'other' }),
    listenFailed: (code) => listens.inc({ reason: LISTEN_ERRORS.includes(code) ? code : 'other' }),
  };
}
