/** Challenges by which senders of webhooks verify the receiver before the first webhook. */
import { createHmac } from 'node:crypto';
import type { WebhookProvider } from '../../../core/modules/webhook-providers.ts';
import type { Reply, RequestFacts } from '../../sites/site.ts';
import { header, urlOf } from './scheme.ts';

export interface Challenge {
  /** Responds to an unsigned challenge; null for any other request. */
  readonly unsigned?: (request: RequestFacts, secret: string) => Reply | null;
  /** Responds to a challenge with a correct signature; null for any other request. */
  readonly signed?: (body: Buffer, secret: string) => Reply | null;
  /** The response to a wrong signature, for senders that test this. */
  readonly refusal?: Reply;
}

export const challenges: Readonly<Partial<Record<WebhookProvider, Challenge>>> = {
  dropbox: {
    unsigned(request) {
      const token = request.method === 'GET' ? parameter(request, 'challenge') : null;
      return token === null ? null : text(200, token);
    },
  },
  twitter: {
    unsigned(request, secret) {
      const token = request.method === 'GET' ? parameter(request, 'crc_token') : null;
      return token === null
        ? null
        : json({ response_token: `sha256=${createHmac('sha256', secret).update(token).digest('base64')}` });
    },
  },
  worldline: {
    unsigned(request) {
      const token = header(request, 'x-gcs-webhooks-endpoint-verification');
      return request.method === 'GET' && token !== '' ? text(200, token) : null;
    },
  },
  xero: {
    signed: (body) => (isEmptyList(field(body, 'events')) ? text(200, '') : null),
    refusal: text(401, ''),
  },
  zoom: {
    signed(body, secret) {
      if (field(body, 'event') !== 'endpoint.url_validation') return null;
      const payload = field(body, 'payload');
      const isObject = typeof payload === 'object' && payload !== null && 'plainToken' in payload;
      const plainToken = isObject ? payload.plainToken : null;
      if (typeof plainToken !== 'string') return null;
      const encryptedToken = createHmac('sha256', secret).update(plainToken).digest('hex');
      return json({ plainToken, encryptedToken });
    },
  },
};

/** Null: the query has none. */
function parameter(request: RequestFacts, name: string): string | null {
  return URL.canParse(urlOf(request)) ? new URL(urlOf(request)).searchParams.get(name) : null;
}

/** Returns a field of a body that is a JSON object; undefined for any other. */
function field(body: Buffer, name: string): unknown {
  try {
    const parsed: unknown = JSON.parse(body.toString());
    return typeof parsed === 'object' && parsed !== null
      ? new Map(Object.entries(parsed)).get(name)
      : undefined;
  } catch {
    return undefined;
  }
}

function isEmptyList(value: unknown): boolean {
  return Array.isArray(value) && value.length === 0;
}

function json(value: object): Reply {
  return reply(200, 'application/json', JSON.stringify(value));
}

function text(status: number, body: string): Reply {
  return reply(status, 'text/plain; charset=utf-8', body);
}

function reply(status: number, type: string, body: string): Reply {
  const headers = [
    ['content-type', type],
    ['x-content-type-options', 'nosniff'],
    ['cache-control', 'no-store'],
  ] as const;
  return { kind: 'reply', status, headers, body: Buffer.from(body) };
}
