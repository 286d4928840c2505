/**
 * Options of a bind that request modules: each is a file here and a line in this list.
 * Invariant: an option is applied, or refused by its name.
 */
import { field } from '@underpass/wire';
import { Problem } from '../../errors/problem.ts';
import type { AgentModules } from '../../online/agent-modules.ts';
import type { TunnelProtocol } from '../../online/tunnel-facts.ts';
import { basicAuthOption, readAuth } from './basic-auth.ts';
import { circuitBreakerOption } from './circuit-breaker.ts';
import { isEmpty, isObject, malformed, shown, textField } from './fields.ts';
import { requestHeadersOption, responseHeadersOption } from './headers.ts';
import { ipRestrictionOption } from './ip-restriction.ts';
import { mutualTlsOption } from './mutual-tls.ts';
import { oauthOption } from './oauth.ts';
import { oidcOption } from './oidc.ts';
import type { ModuleOption, OptionContext } from './option.ts';
import { compressionOption, websocketTcpConverterOption } from './switches.ts';
import { userAgentFilterOption } from './user-agent-filter.ts';
import { webhookVerificationOption } from './webhook-verification.ts';

type Options = { readonly [Name in keyof AgentModules]-?: ModuleOption<NonNullable<AgentModules[Name]>> };

const options: Options = {
  ip_restriction: ipRestrictionOption,
  mutual_tls: mutualTlsOption,
  user_agent_filter: userAgentFilterOption,
  basic_auth: basicAuthOption,
  oidc: oidcOption,
  oauth: oauthOption,
  webhook_verification: webhookVerificationOption,
  circuit_breaker: circuitBreakerOption,
  websocket_tcp_converter: websocketTcpConverterOption,
  request_headers: requestHeadersOption,
  response_headers: responseHeadersOption,
  compression: compressionOption,
};

/** Options by the module that they request. */
export const moduleOptions: ReadonlyMap<string, ModuleOption<object>> = new Map(Object.entries(options));

/** Returns the names of module options for binds of a protocol, in lower case. */
export function moduleOptionNames(proto: TunnelProtocol): ReadonlySet<string> {
  return new Set(Object.values(options).map((option) => spelling(option, proto)?.toLowerCase() ?? ''));
}

/** Options that an empty object requests, in lower case. */
export const optionsByPresence: ReadonlySet<string> = new Set(
  Object.values<ModuleOption<object>>(options)
    .filter(({ asksByPresence }) => asksByPresence === true)
    .flatMap(({ option, onBytes = {} }) => [option, ...Object.values(onBytes)])
    .map((option) => option.toLowerCase()),
);

/** Returns the modules that the `Opts` of a bind request. Raises Problem. */
export function readModules(
  proto: TunnelProtocol,
  sent: object | null,
  context: OptionContext,
): AgentModules {
  const modules = Object.entries(options).flatMap(
    ([name, option]): readonly (readonly [string, object])[] => {
      const spelled = spelling(option, proto);
      const value = spelled === null ? null : (field(sent, spelled) ?? null);
      if (value === null || (isEmpty(value) && option.asksByPresence !== true)) return [];
      if (!isObject(value)) throw malformed(context.reading, `${spelled} must be an object`);
      refuseUnknownFields(option, value);
      const config = option.read(value, context);
      return config === null ? [] : [[name, config]];
    },
  );
  // Each is what its own option in the list has read.
  return withAuth(Object.fromEntries(modules), textField(sent, 'Auth', context.reading));
}

/** Adds the field of older agents, which means the same as `BasicAuth`. */
function withAuth(modules: AgentModules, auth: string): AgentModules {
  if (auth === '') return modules;
  const { enabled, logins } = readAuth(auth);
  return { ...modules, basic_auth: { enabled, logins: [...(modules.basic_auth?.logins ?? []), ...logins] } };
}

/** Null: binds of the protocol do not have it. */
export function spelling({ option, onBytes }: ModuleOption<object>, proto: TunnelProtocol): string | null {
  return proto === 'http' || proto === 'https' ? option : (onBytes?.[proto] ?? null);
}

/** Raises Problem for unknown fields: an ignored one could be the one that keeps visitors out. */
function refuseUnknownFields({ option, fields }: ModuleOption<object>, sent: object): void {
  for (const [name, value] of Object.entries(sent)) {
    if (isEmpty(value) || fields.includes(name.toLowerCase())) continue;
    throw new Problem('bindModuleUnavailable', { module: `${option}.${shown(name)}` });
  }
}
