/**
 * Checks values of a program's options, with the checks of the command's flags. Their kinds are checked already.
 * Invariant: a value that the service must reject is rejected before anything is sent, with its option named.
 */
import { InvalidInput, type Upstream } from './address.ts';
import type { AgentOptions, ForwardOptions } from './agent-options.ts';
import { asOne, checkAll, mistakesIn } from './check-all.ts';
import { checkAddedHeaders, checkRemovedHeaders } from './check-headers.ts';
import { checkKeyOf } from './check-key.ts';
import {
  checkIssuer,
  checkPassword,
  checkPatterns,
  checkRanges,
  checkShare,
  type ListNames,
} from './check-modules.ts';
import { checkAddress, checkDomain, checkLabels, checkTexts } from './check-name.ts';
import type { HeaderEdits, OauthLogin, TunnelModules } from './modules.ts';
import { checkServerName } from './server-name.ts';
import { type Proto, tunnelSettings } from './tunnel-settings.ts';

/** The longest time that a timer of Node can wait, in milliseconds. */
const LONGEST_MS = 2 ** 31 - 1;

/** The most connections of one agent, as the service accepts them. */
const MOST_CONNECTIONS = 16;

/** Throws InvalidInput. */
export function checkHeartbeat(heartbeat: AgentOptions['heartbeat']): void {
  if (heartbeat === undefined) return;
  for (const name of ['intervalMs', 'toleranceMs'] as const) {
    const ms = heartbeat[name];
    if (!(ms >= 1 && ms <= LONGEST_MS))
      throw wrong(`heartbeat.${name}`, `${ms} is no time. Give milliseconds from 1 to ${LONGEST_MS}.`);
  }
}

/** Throws InvalidInput for a number of connections that is not possible. */
export function checkConnections(count: number | undefined): void {
  if (count === undefined || (Number.isInteger(count) && count >= 1 && count <= MOST_CONNECTIONS)) return;
  throw wrong('connections', `${count} is not possible. Give a whole number from 1 to ${MOST_CONNECTIONS}.`);
}

/** Parses the number of connections of a flag or of the config file. Throws InvalidInput. */
export function parseConnections(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  if (/^\d+$/.test(text) && Number(text) >= 1 && Number(text) <= MOST_CONNECTIONS) return Number(text);
  throw new InvalidInput(
    `"${text}" connections are not possible. Give a whole number from 1 to ${MOST_CONNECTIONS}.`,
    'connections',
  );
}

/** `options` are of the right kinds. Throws InvalidInput, with all that is wrong. */
export function checkTunnelValues(options: ForwardOptions): void {
  const { proto = 'http', domain, address, labels, metadata, description, upstreamSni, modules } = options;
  checkAll([
    () => isGiven(domain) && at('domain', () => checkDomain(domain)),
    () => isGiven(address) && at('address', () => checkAddress(address)),
    () => labels !== undefined && checkGivenLabels(labels),
    () => at('metadata', () => checkTexts({ metadata, description: undefined })),
    () => at('description', () => checkTexts({ metadata: undefined, description })),
    () => upstreamSni !== undefined && at('upstreamSni', () => checkServerName(upstreamSni)),
    () => checkTermination(options.termination),
    ...(modules === undefined ? [] : [...modulesOf(proto, modules), () => checkAuthorities(options)]),
  ]);
}

function checkGivenLabels(labels: NonNullable<ForwardOptions['labels']>): void {
  if (Object.keys(labels).length === 0)
    throw wrong('labels', 'It has no labels. Give one, such as { app: "web" }, or leave it out.');
  at('labels', () => checkLabels(labels));
}

/** Options about TLS with an upstream that has none would have no effect. Throws InvalidInput. */
export function checkUpstreamOptions({ scheme }: Upstream, options: ForwardOptions): void {
  for (const name of ['upstreamTls', 'upstreamSni'] as const)
    if (scheme !== 'https' && options[name] !== undefined)
      throw wrong(name, 'Only an https upstream has TLS. Give https://HOST as the target, or leave it out.');
}

/** The setting of the command that has the protocols of a module. */
const SETTINGS: { readonly [K in keyof Required<TunnelModules>]: keyof typeof tunnelSettings } = {
  ...{ requestHeaders: 'request-header-add', responseHeaders: 'response-header-add', oauth: 'oauth' },
  ...{ compression: 'compression', circuitBreaker: 'circuit-breaker', basicAuth: 'basic-auth', oidc: 'oidc' },
  ...{ cidrs: 'cidr-allow', userAgents: 'ua-filter-allow', mutualTlsCa: 'mutual-tls-ca' },
  ...{ websocketTcpConverter: 'websocket-tcp-converter', webhook: 'verify-webhook' },
};

function modulesOf(proto: Proto, modules: TunnelModules): readonly (() => unknown)[] {
  const { requestHeaders, responseHeaders, circuitBreaker, basicAuth, cidrs, userAgents } = modules;
  const { oauth, oidc, webhook } = modules;
  return [
    () => refuseOtherProtocols(proto, modules),
    ...headersOf('modules.requestHeaders', requestHeaders),
    ...headersOf('modules.responseHeaders', responseHeaders),
    () =>
      circuitBreaker !== undefined &&
      at('modules.circuitBreaker', (name) => checkShare(circuitBreaker, String(circuitBreaker), name)),
    () => basicAuth !== undefined && checkLogins(basicAuth),
    () => cidrs !== undefined && checkCidrs(cidrs),
    () => userAgents !== undefined && checkUserAgents(userAgents),
    () => oauth !== undefined && checkOauth(oauth),
    () => oidc !== undefined && needText('modules.oidc', oidc, ['issuer', 'clientId', 'clientSecret']),
    () => isGiven(oidc?.issuer) && at('modules.oidc.issuer', (name) => checkIssuer(oidc.issuer, name)),
    () => webhook !== undefined && needText('modules.webhook', webhook, ['provider']),
    () => {
      if (webhook !== undefined && webhook.secret === undefined)
        throw wrong('modules.webhook', 'The sender signs with a secret. Give "modules.webhook.secret", too.');
    },
  ];
}

function refuseOtherProtocols(proto: Proto, modules: TunnelModules): void {
  for (const [name, setting] of Object.entries(SETTINGS) as [
    keyof TunnelModules,
    keyof typeof tunnelSettings,
  ][]) {
    const protocols: readonly Proto[] = tunnelSettings[setting].of;
    const value = modules[name];
    if (value !== undefined && value !== false && !protocols.includes(proto))
      throw wrong(
        `modules.${name}`,
        `It is not for tunnels of the protocol ${proto}, only for ${protocols.join(' and ')}. Leave it out.`,
      );
  }
}

function headersOf(path: string, edits: HeaderEdits | undefined): readonly (() => void)[] {
  return [
    () => at(`${path}.add`, (name) => checkAddedHeaders(edits?.add ?? [], name)),
    () => at(`${path}.remove`, (name) => checkRemovedHeaders(edits?.remove ?? [], name)),
  ];
}

function checkLogins(logins: NonNullable<TunnelModules['basicAuth']>): void {
  const path = 'modules.basicAuth';
  if (logins.length === 0)
    throw wrong(path, 'The list is empty. Give a name and a password, or leave it out.');
  checkAll(
    logins.map((login, index) => () => {
      needText(`${path}[${index}]`, login, ['username', 'password']);
      at(`${path}[${index}].password`, (name) => checkPassword(login.username, login.password, name));
    }),
  );
}

function checkCidrs({ allow = [], deny = [] }: NonNullable<TunnelModules['cidrs']>): void {
  const names = namesOf('modules.cidrs');
  if (allow.length + deny.length === 0)
    throw wrong('modules.cidrs', 'It has no ranges. Give "modules.cidrs.allow", or leave it out.');
  named(() => checkRanges(allow, deny, { names, remedy: `"${names.allow}"` }));
}

function checkUserAgents({ allow = [], deny = [] }: NonNullable<TunnelModules['userAgents']>): void {
  named(() => checkPatterns(allow, deny, namesOf('modules.userAgents')));
}

function checkOauth(oauth: OauthLogin): void {
  const path = 'modules.oauth';
  needText(path, oauth, ['provider']);
  if (isGiven(oauth.clientId) === isGiven(oauth.clientSecret)) return;
  const lacking = isGiven(oauth.clientId) ? 'clientSecret' : 'clientId';
  throw wrong(path, `The login lacks its client. Give "${path}.${lacking}", too.`);
}

function checkTermination(termination: ForwardOptions['termination']): void {
  const { certificate, key } = termination ?? {};
  if ((certificate === undefined) !== (key === undefined))
    throw wrong('termination', 'A certificate needs its private key. Give both "certificate" and "key".');
  if (certificate === undefined || key === undefined) return;
  const [ofCertificate, ofKey] = ['termination.certificate', 'termination.key'];
  at(ofKey, () =>
    checkKeyOf(
      { what: ofCertificate, path: 'cert.pem', text: certificate },
      { what: 'key', path: 'key.pem', text: key },
    ),
  );
}

/** Certificates of visitors are seen only where TLS ends. */
function checkAuthorities({ proto, scheme, termination, modules }: ForwardOptions): void {
  if (modules?.mutualTlsCa === undefined) return;
  const path = 'modules.mutualTlsCa';
  if (proto === 'tls' && termination === undefined)
    throw wrong(
      path,
      'TLS passes through to the local server, which alone sees certificates. Give "termination", or leave it out.',
    );
  if (scheme === 'http')
    throw wrong(path, 'Visitors show certificates over https only. Leave "scheme" out, or this.');
}

/** Throws InvalidInput for the first of these that is absent or empty. */
function needText<T extends object>(path: string, value: T, names: readonly (keyof T & string)[]): void {
  const absent = names.find((name) => value[name] === undefined || value[name] === '');
  if (absent !== undefined) throw wrong(`${path}.${absent}`, 'It is absent or empty. Give it.');
}

function namesOf(path: string): ListNames {
  return { allow: `${path}.allow`, deny: `${path}.deny` };
}

/** An empty text requests nothing. */
function isGiven(text: string | undefined): text is string {
  return text !== undefined && text !== '';
}

/** Calls a check of the command, and names the option in its error. */
function at(option: string, check: (name: string) => unknown): void {
  try {
    check(option);
  } catch (error) {
    throw error instanceof InvalidInput ? wrong(option, error.message) : error;
  }
}

/** Works like `at`, for checks of several options, whose errors have the option's name as their flag. */
function named(check: () => void): void {
  try {
    check();
  } catch (error) {
    if (!(error instanceof InvalidInput)) throw error;
    throw asOne(mistakesIn(error).map(({ flag, message }) => wrong(flag ?? '', message)));
  }
}

function wrong(option: string, message: string): InvalidInput {
  return new InvalidInput(`The option "${option}": ${message}`, option);
}
