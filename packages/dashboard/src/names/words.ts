/** Words for names and their modules. Pure. */
import type { NameEntry } from '@underpass/client';

const MODULES: Readonly<Record<string, string>> = {
  ip_restriction: 'IP restriction',
  ip_policy: 'IP restriction',
  user_agent_filter: 'user agents',
  basic_auth: 'password',
  webhook_verification: 'webhook signature',
  webhook_validation: 'webhook signature',
  circuit_breaker: 'circuit breaker',
  saml: 'SAML',
  oidc: 'OIDC',
  oauth: 'OAuth',
  mutual_tls: 'client certificate',
  tls_termination: 'TLS settings',
  websocket_tcp_converter: 'WebSocket to TCP',
  request_headers: 'request headers',
  response_headers: 'response headers',
  compression: 'compression',
};

export function moduleWord(name: string): string {
  return MODULES[name] ?? name.replaceAll('_', ' ');
}

/** The state in words, and the class of its colour. */
export const STATES: Readonly<Record<NameEntry['state'], readonly [text: string, colour: string]>> = {
  served: ['● served', '2'],
  no_agent: ['○ no agent', '4'],
  no_backend: ['○ no backend', '4'],
  refused: ['✕ refused', '5'],
};

export function serverWords({ served_by, kind, agents, forwards_to }: NameEntry): string {
  if (served_by === 'nothing') return 'nothing';
  if (served_by === 'edge')
    return `${{ https_edge: 'HTTPS', tls_edge: 'TLS', tcp_edge: 'TCP' }[kind] ?? ''} edge`;
  return `${agents === 1 ? 'agent' : `${agents} agents`} > ${forwards_to || 'its own code'}`;
}

/** True for a name with visitors that nothing keeps out, on some of its routes at least. */
export function isOpen({ served_by, protection }: NameEntry): boolean {
  return served_by !== 'nothing' && protection !== 'all';
}

export function rateText(rate: number): string {
  if (rate === 0) return '0';
  return rate < 1 ? rate.toFixed(2) : rate < 10 ? rate.toFixed(1) : rate.toFixed(0);
}

export function shareText(share: number | null): string {
  if (share === null) return '—';
  return share > 0 && share < 0.001
    ? '< 0.1 %'
    : `${(share * 100).toFixed(share < 0.1 && share > 0 ? 1 : 0)} %`;
}

export function idleText(minutes: number | null): string {
  if (minutes === null) return '> 1 h';
  return minutes === 0 ? 'now' : `${minutes} min`;
}
