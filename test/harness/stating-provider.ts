/** An OpenID Connect provider over TLS without pages: it states the claims that a test sets, about every user who comes with a code. */
import { createPublicKey, generateKeyPairSync, sign } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import type { Identity } from './client-certificates.ts';

type Claims = Readonly<Record<string, unknown>>;

export class StatingProvider {
  readonly issuer: string;
  readonly clientId = 'underpass';
  readonly clientSecret = 'only the provider and the client know it';
  /** Claims in the ID token, beside the required ones. */
  claims: Claims = {};
  /** Claims in the userinfo response, beside the subject. */
  userinfo: Claims = {};
  /** Nonce of the login under way; '' if each code is the nonce of its login. */
  nonce = '';
  readonly #server: Server;
  readonly #key = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey;

  private constructor(issuer: string, server: Server) {
    this.issuer = issuer;
    this.#server = server;
  }

  /** `identity`: for `localhost`. */
  static async start(identity: Identity): Promise<StatingProvider> {
    const server = createServer({ key: readFileSync(identity.keyFile), cert: identity.pem });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const issuer = `https://localhost:${(server.address() as AddressInfo).port}`;
    const provider = new StatingProvider(issuer, server);
    server.on('request', async (request, response) => {
      const code = new URLSearchParams(await text(request)).get('code') ?? '';
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify(provider.#answer(new URL(request.url ?? '/', issuer).pathname, code)));
    });
    return provider;
  }

  stop(): Promise<void> {
    return new Promise((done) => {
      this.#server.close(() => done());
      this.#server.closeAllConnections();
    });
  }

  #answer(path: string, code: string): Claims {
    const { issuer } = this;
    if (path === '/userinfo') return { sub: 'ada', ...this.userinfo };
    if (path === '/token')
      return { access_token: 'access', token_type: 'Bearer', id_token: this.#idToken(code) };
    if (path === '/jwks')
      return {
        keys: [{ ...createPublicKey(this.#key).export({ format: 'jwk' }), kid: 'one', alg: 'RS256' }],
      };
    return {
      ...{ issuer, authorization_endpoint: `${issuer}/authorize`, token_endpoint: `${issuer}/token` },
      ...{ userinfo_endpoint: `${issuer}/userinfo`, jwks_uri: `${issuer}/jwks` },
      ...{ response_types_supported: ['code'], subject_types_supported: ['public'] },
      id_token_signing_alg_values_supported: ['RS256'],
    };
  }

  #idToken(code: string): string {
    const now = Math.floor(Date.now() / 1000);
    const times = { iat: now, exp: now + 300 };
    const claims = {
      iss: this.issuer,
      sub: 'ada',
      aud: this.clientId,
      ...times,
      nonce: this.nonce || code,
      ...this.claims,
    };
    const encoded = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');
    const signed = `${encoded({ alg: 'RS256', kid: 'one' })}.${encoded(claims)}`;
    return `${signed}.${sign('sha256', Buffer.from(signed), this.#key).toString('base64url')}`;
  }
}
