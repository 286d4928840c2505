/** Request and result of a bind. */
import { field, StreamType } from '@underpass/wire';
import { text } from './hello.ts';
import { inBase64, moduleOptions, type TunnelModules } from './modules.ts';

/** Request for a tunnel: the same on every session of its life. */
export interface TunnelRequest {
  /** The visitors' protocol; default http. */
  readonly proto?: 'http' | 'tls' | 'tcp';
  /**
   * Scheme of an HTTP tunnel, default https. http is served without TLS if the service has a port for it, and else
   * also over HTTPS.
   */
  readonly scheme?: 'http' | 'https';
  /** A hostname of the account's choice, or a label below the service's domain; undefined: the service picks one. */
  readonly domain?: string;
  /** TCP: a reserved address, `host:port`; undefined: the service picks a free port. */
  readonly address?: string;
  /** TLS: the service ends it, with its own certificate or with this one, in PEM; undefined: TLS passes through. */
  readonly termination?: { readonly certificate?: string; readonly key?: string };
  /** HTTP/2 to the upstream, in clear or in TLS; undefined: HTTP/1.1. */
  readonly upstreamProtocol?: 'http2';
  /** The version of the PROXY protocol in which each connection begins with its visitor's address; undefined: none. */
  readonly proxyProtocol?: 1 | 2;
  /** Given: a labelled tunnel, which joins tunnel group backends and has no URL of its own. */
  readonly labels?: Readonly<Record<string, string>>;
  readonly metadata?: string;
  readonly description?: string;
  /** Shares its name with other tunnels that request the same. Visitors are spread over them. */
  readonly pooling?: boolean;
  /** The service's modules for visitors. Labelled tunnels have none, because their edge has them. */
  readonly modules?: TunnelModules;
}

/** The service's response; sent back after a reconnect so that the same name returns. */
export interface Binding {
  readonly id: string;
  /** Null for a labelled tunnel. */
  readonly url: string | null;
  readonly token: string;
  /** `tn_…`, as in the management API; empty if the service did not send it. */
  readonly tunnelId: string;
  /** Message of the service about this bind, for people; '' for none. */
  readonly notice: string;
}

export interface ForwardsTo {
  readonly text: string;
  readonly scheme: 'http' | 'https' | 'tcp';
}

export interface BindCall {
  readonly type: StreamType;
  readonly request: Record<string, unknown>;
}

/** The Bind or StartTunnelWithLabel request (agent protocol, section 5); `earlier` is null on the first bind. */
export function bindCall(tunnel: TunnelRequest, to: ForwardsTo, earlier: Binding | null): BindCall {
  if (tunnel.labels !== undefined) {
    return {
      type: StreamType.startTunnelWithLabel,
      request: {
        Labels: tunnel.labels,
        ForwardsTo: to.text,
        ForwardsProto: tunnel.upstreamProtocol ?? '',
        Metadata: tunnel.metadata ?? '',
      },
    };
  }
  const { proto = 'http' } = tunnel;
  return {
    type: StreamType.bind,
    request: {
      Id: earlier?.id ?? '',
      Proto: proto === 'http' ? (tunnel.scheme ?? 'https') : proto,
      ForwardsTo: to.text,
      ForwardsProto: tunnel.upstreamProtocol ?? '',
      Opts: {
        ...options(tunnel, to, earlier?.url ?? ''),
        ProxyProto: tunnel.proxyProtocol ?? 0,
        ...moduleOptions(tunnel.modules ?? {}, proto),
      },
      Extra: {
        Token: earlier?.token ?? '',
        Metadata: tunnel.metadata ?? '',
        Description: tunnel.description ?? '',
        PoolingEnabled: tunnel.pooling === true,
      },
    },
  };
}

/** `url`: what an earlier bind was given; '' on the first one. */
function options(tunnel: TunnelRequest, to: ForwardsTo, url: string): Record<string, unknown> {
  const { proto = 'http', domain = '', address = '', termination } = tunnel;
  // The service completes a label with its own domain.
  const name = domain.includes('.') ? { Domain: domain } : { Domain: '', Subdomain: domain };
  switch (proto) {
    case 'http':
      return { URL: url, ...name, LocalURLScheme: to.scheme };
    case 'tls':
      return {
        URL: url,
        ...name,
        TLSTermination: termination === undefined ? null : asTermination(termination),
      };
    case 'tcp':
      return url === '' ? { Addr: address } : { URL: url };
    default:
      return proto satisfies never;
  }
}

function asTermination({ certificate, key }: NonNullable<TunnelRequest['termination']>): object {
  return {
    ...(certificate === undefined ? {} : { cert: inBase64(certificate) }),
    ...(key === undefined ? {} : { key: inBase64(key) }),
  };
}

/** Reads the response: the service's error text, or what is bound. */
export function readBinding(response: unknown): { readonly error: string } | Binding {
  const error = text(field(response, 'Error'));
  if (error !== '') return { error };
  const id = text(field(response, 'Id'));
  if (id === '') return { error: 'The service answered without the id of the tunnel.' };
  const url = text(field(response, 'URL'));
  const extra = field(response, 'Extra');
  return {
    id,
    url: url === '' ? null : url,
    token: text(field(extra, 'Token')),
    tunnelId: text(field(extra, 'TunnelID')),
    notice: text(field(extra, 'Notice')),
  };
}
