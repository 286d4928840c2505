/** Address and key of the management API. */
import { resolve } from 'node:path';
import type { ClientOptions } from '@underpass/client';
import { InvalidInput } from '../address.ts';
import { readApiBootstrap } from '../bootstrap.ts';
import { readCa } from '../certificate-files.ts';
import { authorityOf, fromEnvironment } from '../settings.ts';
import { readFingerprint } from '../trust.ts';

export interface ApiFlags {
  readonly apiUrl?: string;
  readonly apiKey?: string;
  readonly ca?: string;
  readonly caFingerprint?: string;
  readonly versionHeader?: string;
}

/** Flags win over variables. Other values come from ./data/bootstrap.json of a daemon. Throws InvalidInput. */
export function readApiSettings(
  flags: ApiFlags,
  environment: Readonly<Record<string, string | undefined>>,
  cwd: string,
): ClientOptions {
  const url = flags.apiUrl ?? (environment.UNDERPASS_API_URL || undefined);
  const key = flags.apiKey ?? (environment.UNDERPASS_API_KEY || undefined);
  const given = authorityOf(flags) ?? authorityOf(fromEnvironment(environment, cwd));
  const bootstrap = url === undefined || key === undefined ? readApiBootstrap(cwd) : null;
  // The local daemon's key is for the local daemon: it never goes to a server that was named otherwise.
  const isLocal =
    bootstrap !== null && withoutSlash(url ?? bootstrap.baseUrl) === withoutSlash(bootstrap.baseUrl);
  const local = isLocal ? bootstrap : null;
  const baseUrl = url ?? local?.baseUrl;
  const apiKey = key ?? local?.apiKey;
  if (baseUrl === undefined && apiKey === undefined)
    throw new InvalidInput(
      'The settings lack the URL of the API and an API key. Give --api-url URL and --api-key TOKEN, set UNDERPASS_API_URL and ' +
        'UNDERPASS_API_KEY, or run where ./data/bootstrap.json of a daemon is. "underpass login" stores a token for tunnels alone.',
    );
  if (baseUrl === undefined) throw missing('the URL of the API', 'api-url', 'URL');
  if (apiKey === undefined) throw missing('the API key', 'api-key', 'TOKEN');
  const { ca: caPath, caFingerprint } = given ?? { ca: local?.ca };
  return {
    baseUrl,
    apiKey,
    ca: caPath === undefined ? undefined : readCa(resolve(cwd, caPath)),
    ...(caFingerprint === undefined ? {} : { caFingerprint: readFingerprint(caFingerprint) }),
    versionHeader: flags.versionHeader,
  };
}

function withoutSlash(url: string): string {
  return url.replace(/\/+$/, '');
}

function missing(what: string, flag: string, shape: string): InvalidInput {
  const variable = `UNDERPASS_${flag.replace('-', '_').toUpperCase()}`;
  return new InvalidInput(
    `The settings lack ${what}. Give --${flag} ${shape}, set ${variable}, or run where ./data/bootstrap.json of a daemon is.`,
  );
}
