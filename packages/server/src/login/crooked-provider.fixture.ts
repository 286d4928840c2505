/** An OpenID Connect provider over TLS whose responses a test chooses. By default they are correct. */
import { createHmac, generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { TestContext } from 'node:test';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { makeChain } from '../pki/certificates.fixture.ts';

export interface Reply {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: string;
}

export interface Asked {
  readonly path: string;
  readonly authorization: string;
  readonly form: URLSearchParams;
}

type Json = Readonly<Record<string, unknown>>;

export const keys = generateKeyPairSync('rsa', { modulusLength: 2048 });

const chain = makeChain('localhost');

export class CrookedProvider {
  readonly issuer: string;
  readonly asked: Asked[] = [];
  /** Claims of the ID token beside the correct ones. */
  claims: Json = {};
  userinfo: Json = {
    sub: 'ada',
    email: 'Ada@Example.com',
    email_verified: true,
    name: 'Ada',
    groups: ['staff'],
  };
  metadata: Json = {};
  /** Makes the ID token of its claims. */
  tokenOf: (claims: Json) => string = (claims) => signed(claims);
  /** Takes the place of the answer at a path. */
  readonly replies = new Map<string, Reply>();
  /** Answers wait for this. */
  ready: Promise<void> = Promise.resolve();
  /** Nonce of the client's flow, as a provider keeps it. */
  nonce = '';

  private constructor(issuer: string) {
    this.issuer = issuer;
  }

  static async start(t: TestContext): Promise<CrookedProvider> {
    const usual = getCACertificates();
    setDefaultCACertificates([...usual, chain.root]);
    let provider: CrookedProvider | null = null;
    const server = createServer(
      { key: chain.key, cert: chain.leaf + chain.intermediate },
      async (request, response) => {
        let body = '';
        for await (const piece of request) body += piece;
        const path = new URL(request.url ?? '/', 'https://x').pathname;
        const { authorization = '' } = request.headers;
        provider?.asked.push({ path, authorization, form: new URLSearchParams(body) });
        await provider?.ready;
        const { status = 200, headers = {}, body: text } = provider!.#replyTo(path);
        response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(text);
      },
    );
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    t.after(() => {
      setDefaultCACertificates(usual);
      server.close();
      server.closeAllConnections();
    });
    provider = new CrookedProvider(`https://localhost:${(server.address() as AddressInfo).port}`);
    return provider;
  }

  #replyTo(path: string): Reply {
    return this.replies.get(path) ?? { body: JSON.stringify(this.#right(path)) };
  }

  #right(path: string): Json {
    const { issuer } = this;
    switch (path) {
      case '/.well-known/openid-configuration':
        return {
          issuer,
          authorization_endpoint: `${issuer}/authorize`,
          token_endpoint: `${issuer}/token`,
          userinfo_endpoint: `${issuer}/userinfo`,
          jwks_uri: `${issuer}/jwks`,
          response_types_supported: ['code'],
          subject_types_supported: ['public'],
          id_token_signing_alg_values_supported: ['RS256'],
          ...this.metadata,
        };
      case '/jwks':
        return {
          keys: [{ ...keys.publicKey.export({ format: 'jwk' }), kid: 'one', use: 'sig', alg: 'RS256' }],
        };
      case '/userinfo':
        return this.userinfo;
      default: {
        const now = Math.floor(Date.now() / 1000);
        const { nonce } = this;
        const right = { iss: issuer, sub: 'ada', aud: 'shop', iat: now, exp: now + 300, nonce };
        return {
          access_token: 'access',
          token_type: 'Bearer',
          id_token: this.tokenOf({ ...right, ...this.claims }),
        };
      }
    }
  }
}

export function signed(claims: Json, key: KeyObject = keys.privateKey): string {
  const text = `${encoded({ alg: 'RS256', kid: 'one' })}.${encoded(claims)}`;
  return `${text}.${sign('sha256', Buffer.from(text), key).toString('base64url')}`;
}

/** Returns the claims with a MAC under `secret`, as if it were an HMAC key. */
export function macked(claims: Json, secret: string): string {
  const text = `${encoded({ alg: 'HS256', kid: 'one' })}.${encoded(claims)}`;
  return `${text}.${createHmac('sha256', secret).update(text).digest('base64url')}`;
}

export function unsigned(claims: Json): string {
  return `${encoded({ alg: 'none' })}.${encoded(claims)}.`;
}

function encoded(value: Json): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url');
}
