/** A real OpenID Connect provider over TLS, which accepts every name on its page. */
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { Identity } from './client-certificates.ts';

export interface OidcProviderOptions {
  /** Certificate for `localhost`. */
  readonly identity: Identity;
  readonly redirectUris: readonly string[];
  /** URLs to which visitors may return after a logout. */
  readonly logoutUris?: readonly string[];
  /** Returns the groups of a user, for the claim `teams`. */
  readonly groupsOf?: (email: string) => readonly string[];
}

/** Returns the claims of a user who logged in as `name@example.com`. */
function claimsOf(email: string) {
  const [name = ''] = email.split('@');
  return { sub: email, email, email_verified: true, name };
}

export class OidcProvider {
  readonly clientId = 'underpass';
  readonly clientSecret = 'only the provider and the client know it';
  readonly issuer: string;
  readonly #server: Server;

  private constructor(issuer: string, server: Server) {
    this.issuer = issuer;
    this.#server = server;
  }

  static async start({
    identity,
    redirectUris,
    logoutUris = [],
    groupsOf = () => [],
  }: OidcProviderOptions): Promise<OidcProvider> {
    const server = createServer({ key: readFileSync(identity.keyFile), cert: identity.pem });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const started = new OidcProvider(`https://localhost:${(server.address() as AddressInfo).port}`, server);
    // Loaded here: it would cost every other test file half a second.
    const { default: Provider } = await import('oidc-provider');
    const provider = new Provider(started.issuer, {
      clients: [
        {
          client_id: started.clientId,
          client_secret: started.clientSecret,
          redirect_uris: [...redirectUris],
          post_logout_redirect_uris: [...logoutUris],
        },
      ],
      claims: { email: ['email', 'email_verified'], profile: ['name', 'teams'] },
      findAccount: (_context, id) => ({
        accountId: id,
        claims: () => ({ ...claimsOf(id), teams: groupsOf(id) }),
      }),
      cookies: { keys: ['of a test'] },
    });
    server.on('request', provider.callback());
    return started;
  }

  stop(): Promise<void> {
    return new Promise((done) => {
      this.#server.close(() => done());
      this.#server.closeAllConnections();
    });
  }
}
