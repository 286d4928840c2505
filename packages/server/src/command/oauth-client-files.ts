/**
 * The option `--oauth-client`: applications of the operator's at providers of OAuth.
 * Invariant: no secret is shown.
 */
import { resolve } from 'node:path';
import { oauthProvider, oauthProviders } from '../core/modules/oauth-providers.ts';
import type { Settings } from '../core/settings.ts';
import { readNamedFile } from '../system/named-file.ts';
import { ConfigError } from './options.ts';

type Clients = Settings['oauthClients'];
type Client = NonNullable<ReturnType<Clients['get']>>;

/** `given`: `PROVIDER=FILE`, each. Throws ConfigError. */
export function oauthClients(given: readonly string[]): Clients {
  const clients = new Map<NonNullable<ReturnType<typeof oauthProvider>>, Client>();
  for (const text of given) {
    const at = text.indexOf('=');
    const name = oauthProvider(text.slice(0, at));
    if (at === -1 || name === null)
      throw new ConfigError(
        `--oauth-client ${text}: must be PROVIDER=FILE, with one of ${oauthProviders.join(', ')}`,
      );
    if (clients.has(name)) throw new ConfigError(`--oauth-client ${text}: ${name} is given twice`);
    clients.set(name, readClient(text.slice(at + 1)));
  }
  return clients;
}

/** A relative path is seen from where the program was started. */
function readClient(file: string): Client {
  const refuse = (reason: string): never => {
    throw new ConfigError(`--oauth-client ${file}: ${reason}`);
  };
  const form = 'must be JSON such as {"client_id": "…", "client_secret": "…"}';
  let text: string;
  try {
    text = readNamedFile(resolve(file));
  } catch (error) {
    return refuse((error as Error).message);
  }
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    return refuse(form);
  }
  const { client_id: clientId, client_secret: clientSecret } = Object(json) as Record<string, unknown>;
  if (typeof clientId !== 'string' || clientId === '') return refuse(form);
  if (typeof clientSecret !== 'string' || clientSecret === '') return refuse(form);
  return { clientId, clientSecret };
}
