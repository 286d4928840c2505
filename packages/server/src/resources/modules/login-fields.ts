/** The fields that the modules have in common that have visitors log in (specification, section 2.6; open points, B 1.9.1). */
import { randomBytes } from 'node:crypto';
import { Type } from '../../core/type.ts';
import type { LoginModule } from '../../documents/index.ts';
import { Problem } from '../../errors/problem.ts';
import type { Sealing } from '../definition.ts';
import { patterns } from '../patterns.ts';
import { enabled, optional, text } from '../schema.ts';

/** The largest uint32. */
export const maxSeconds = 4_294_967_295;

export const loginWrite = {
  enabled,
  options_passthrough: optional(
    Type.Boolean({
      default: false,
      description: 'True if OPTIONS requests are served without a login, as CORS needs it.',
    }),
  ),
  cookie_prefix: optional(
    text(
      64,
      'cookiePrefixTooLong',
      "Beginning of the session cookie's name: letters, digits and dots. Empty for the default, which alone makes browsers accept the cookie from no other name below the domain.",
      { pattern: patterns.cookiePrefix, default: '' },
    ),
  ),
  inactivity_timeout: optional(
    Type.Integer({
      minimum: 0,
      maximum: maxSeconds,
      default: 0,
      'x-error': 'inactivityTimeoutInvalid',
      description: 'Seconds without a request after which a user must log in again; 0 for never.',
    }),
  ),
  maximum_duration: optional(
    Type.Integer({
      minimum: 0,
      maximum: maxSeconds,
      default: 0,
      'x-error': 'maximumDurationInvalid',
      description: 'Seconds after which a user must log in again; 0 for the default, 14 days.',
    }),
  ),
};

export const loginRead = {
  enabled: Type.Boolean(),
  options_passthrough: Type.Boolean(),
  cookie_prefix: Type.String(),
  inactivity_timeout: Type.Integer(),
  maximum_duration: Type.Integer(),
};

type LoginInput = { readonly [Field in keyof LoginModule]?: LoginModule[Field] | undefined };

/** `continued`: the stored module, if its sessions continue. Raises Problem. */
export function parseLogin(input: LoginInput, pointer: string, continued: LoginModule | null): LoginModule {
  const { cookie_prefix = '' } = input;
  if (!/^[A-Za-z0-9.]*$/.test(cookie_prefix)) {
    const field = `${pointer}/cookie_prefix`;
    throw new Problem('cookiePrefixInvalid', { value: cookie_prefix }, { field });
  }
  return {
    enabled: input.enabled ?? true,
    options_passthrough: input.options_passthrough ?? false,
    cookie_prefix,
    inactivity_timeout: input.inactivity_timeout ?? 0,
    maximum_duration: input.maximum_duration ?? 0,
    generation: continued?.generation ?? randomBytes(16).toString('base64url'),
  };
}

/**
 * The secret of a client, sealed for `context`; null: there is none. `standing`, what is sealed there already, stays where the same is given
 * or nothing.
 */
export function sealClientSecret(
  given: string,
  standing: string | null,
  context: string,
  sealer: Sealing,
): string | null {
  if (standing !== null && (given === '' || isSealedIn(standing, given, context, sealer))) return standing;
  return given === '' ? null : sealer.seal(given, context);
}

function isSealedIn(sealed: string, secret: string, context: string, sealer: Sealing): boolean {
  try {
    return sealer.open(sealed, context) === secret;
  } catch {
    // Of a key that is gone: the secret that is given mends it.
    return false;
  }
}

/** Returns the login fields of a stored module that has more. */
export function showLogin(config: LoginModule): Omit<LoginModule, 'generation'> {
  const { enabled, options_passthrough, cookie_prefix, inactivity_timeout, maximum_duration } = config;
  return { enabled, options_passthrough, cookie_prefix, inactivity_timeout, maximum_duration };
}

const loginModules = ['saml', 'oidc', 'oauth'] as const;
type LoginModules = { readonly [Name in (typeof loginModules)[number]]?: LoginModule | null };

/** The name of the first one that is set; null: none is. */
export function loginModuleOf(modules: LoginModules): keyof LoginModules | null {
  return loginModules.find((name) => modules[name] != null) ?? null;
}

/** Raises Problem where there are several, be they turned on or not: a user logs in once. */
export function refuseTwoLogins(modules: LoginModules): void {
  const [first, second] = loginModules.filter((name) => modules[name] != null);
  if (first === undefined || second === undefined) return;
  throw new Problem('loginModuleTwice', { first, second }, { field: `/${second}` });
}
