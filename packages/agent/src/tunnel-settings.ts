/**
 * Settings of a tunnel beside its target and name. Each is a flag of its commands, and a key of the config file.
 * Invariant: both have the same settings.
 */
import type { TunnelRequest } from './binding.ts';

export type Proto = NonNullable<TunnelRequest['proto']>;

/** The written type of each kind of setting, by its read type. */
interface Written {
  readonly flag: boolean;
  readonly text: string;
  /** A text that may look like a number. */
  readonly word: string;
  readonly texts: readonly string[];
  /** Path, relative to the folder of the file or of the command. */
  readonly path: string;
  readonly paths: readonly string[];
  /** A text, or `@` and the path of a file that holds it. */
  readonly secret: string;
}

export type SettingKind = keyof Written;

/** Headings of the help. */
export const settingGroups = {
  tunnel: 'The tunnel:',
  server: 'The local server:',
  traffic: 'Requests and answers:',
  visitors: 'Who gets in:',
} as const;

export interface TunnelSetting {
  readonly group: keyof typeof settingGroups;
  readonly of: readonly Proto[];
  readonly kind: SettingKind;
  /** Notation of its value in help texts; '' for a flag that has none. */
  readonly shape: string;
  readonly help: string;
  /** The command that has no use for it. */
  readonly notOf?: 'file';
  /** Setting that this one refines, and needs. */
  readonly goesWith?: string;
}

const all: readonly Proto[] = ['http', 'tls', 'tcp'];
const http: readonly Proto[] = ['http'];
const tls: readonly Proto[] = ['tls'];

export const tunnelSettings = {
  scheme: {
    group: 'tunnel',
    of: http,
    kind: 'text',
    shape: '<http|https>',
    help: 'protocol of visitors: https, or http if the server has a port for it',
  },
  hidden: {
    group: 'server',
    of: http,
    kind: 'flag',
    shape: '',
    help: 'of a folder: also serve files with names that begin with a dot',
  },
  'upstream-protocol': {
    group: 'server',
    of: http,
    kind: 'text',
    shape: '<http1|http2>',
    help: 'protocol of the local server; http2 for gRPC',
    notOf: 'file',
  },
  'upstream-tls-verify': {
    group: 'server',
    of: http,
    kind: 'flag',
    shape: '',
    help: 'verify the certificate of an https upstream',
    notOf: 'file',
  },
  'upstream-tls-verify-cas': {
    group: 'server',
    of: http,
    kind: 'path',
    shape: '<file>',
    help: 'verify it by the authorities in this PEM file',
    notOf: 'file',
  },
  'upstream-sni': {
    group: 'server',
    of: http,
    kind: 'text',
    shape: '<name>',
    help: 'TLS server name for an https upstream; default: --host-header',
    notOf: 'file',
  },
  'host-header': {
    group: 'server',
    of: http,
    kind: 'text',
    shape: '<rewrite|host>',
    help: "Host header for the local server; rewrite: the upstream's own name",
    notOf: 'file',
  },
  'request-header-add': {
    group: 'traffic',
    of: http,
    kind: 'texts',
    shape: '<name:value>',
    help: 'add this header to requests, such as x-from:outside; repeatable',
  },
  'request-header-remove': {
    group: 'traffic',
    of: http,
    kind: 'texts',
    shape: '<name>',
    help: 'remove this header from requests; repeatable',
  },
  'response-header-add': {
    group: 'traffic',
    of: http,
    kind: 'texts',
    shape: '<name:value>',
    help: 'add this header to responses; repeatable',
  },
  'response-header-remove': {
    group: 'traffic',
    of: http,
    kind: 'texts',
    shape: '<name>',
    help: 'remove this header from responses, such as server; repeatable',
  },
  compression: {
    group: 'traffic',
    of: http,
    kind: 'flag',
    shape: '',
    help: 'compress responses for visitors that accept it',
  },
  'circuit-breaker': {
    group: 'traffic',
    of: http,
    kind: 'word',
    shape: '<share>',
    help: 'refuse requests for a while if this share of them fails: 0.5',
  },
  'websocket-tcp-converter': {
    group: 'server',
    of: http,
    kind: 'flag',
    shape: '',
    help: 'send the local server the bytes of WebSocket messages, as over TCP',
    notOf: 'file',
  },
  'basic-auth': {
    group: 'visitors',
    of: http,
    kind: 'texts',
    shape: '<user:password>',
    help: 'only visitors with this name and password; repeatable',
  },
  oauth: {
    group: 'visitors',
    of: http,
    kind: 'text',
    shape: '<provider>',
    help: 'only visitors that log in at google, github, microsoft or others',
  },
  'oauth-client-id': {
    group: 'visitors',
    of: http,
    kind: 'secret',
    shape: '<id>',
    help: 'id of your application there; default: the application of the server',
    goesWith: 'oauth',
  },
  'oauth-client-secret': {
    group: 'visitors',
    of: http,
    kind: 'secret',
    shape: '<secret>',
    help: 'secret of that application; better @FILE or UNDERPASS_OAUTH_CLIENT_SECRET',
    goesWith: 'oauth',
  },
  'oauth-allow-email': {
    group: 'visitors',
    of: http,
    kind: 'texts',
    shape: '<address>',
    help: 'only users with this e-mail address: ada@example.com; repeatable',
    goesWith: 'oauth',
  },
  'oauth-allow-domain': {
    group: 'visitors',
    of: http,
    kind: 'texts',
    shape: '<domain>',
    help: 'only users with an e-mail address of this domain: example.com; repeatable',
    goesWith: 'oauth',
  },
  'oauth-scope': {
    group: 'visitors',
    of: http,
    kind: 'texts',
    shape: '<scope>',
    help: 'scope to request from the provider in addition to the usual ones; repeatable',
    goesWith: 'oauth',
  },
  oidc: {
    group: 'visitors',
    of: http,
    kind: 'text',
    shape: '<issuer>',
    help: 'only visitors that log in there by OpenID Connect: https://accounts.example.com',
  },
  'oidc-client-id': {
    group: 'visitors',
    of: http,
    kind: 'secret',
    shape: '<id>',
    help: 'id of your application there; else UNDERPASS_OIDC_CLIENT_ID',
    goesWith: 'oidc',
  },
  'oidc-client-secret': {
    group: 'visitors',
    of: http,
    kind: 'secret',
    shape: '<secret>',
    help: 'secret of that application; better @FILE or UNDERPASS_OIDC_CLIENT_SECRET',
    goesWith: 'oidc',
  },
  'oidc-allow-email': {
    group: 'visitors',
    of: http,
    kind: 'texts',
    shape: '<address>',
    help: 'only users with this e-mail address: ada@example.com; repeatable',
    goesWith: 'oidc',
  },
  'oidc-allow-domain': {
    group: 'visitors',
    of: http,
    kind: 'texts',
    shape: '<domain>',
    help: 'only users with an e-mail address of this domain: example.com; repeatable',
    goesWith: 'oidc',
  },
  'oidc-allow-unverified-email': {
    group: 'visitors',
    of: http,
    kind: 'flag',
    shape: '',
    help: 'accept addresses in these lists that the issuer has not verified',
    goesWith: 'oidc',
  },
  'oidc-scope': {
    group: 'visitors',
    of: http,
    kind: 'texts',
    shape: '<scope>',
    help: 'scope to request from the issuer in addition to the usual ones, such as groups; repeatable',
    goesWith: 'oidc',
  },
  'verify-webhook': {
    group: 'visitors',
    of: http,
    kind: 'text',
    shape: '<provider>',
    help: 'only requests that this sender of webhooks has signed: github',
  },
  'verify-webhook-secret': {
    group: 'visitors',
    of: http,
    kind: 'secret',
    shape: '<secret>',
    help: 'secret of these signatures; better @FILE or UNDERPASS_VERIFY_WEBHOOK_SECRET',
    goesWith: 'verify-webhook',
  },
  'ua-filter-allow': {
    group: 'visitors',
    of: http,
    kind: 'texts',
    shape: '<pattern>',
    help: 'accept this User-Agent, even if it is denied: ^curl/; repeatable',
  },
  'ua-filter-deny': {
    group: 'visitors',
    of: http,
    kind: 'texts',
    shape: '<pattern>',
    help: 'refuse this User-Agent: bot; repeatable',
  },
  terminate: {
    group: 'tunnel',
    of: tls,
    kind: 'flag',
    shape: '',
    help: 'the server terminates TLS with its own certificate',
  },
  certificate: {
    group: 'tunnel',
    of: tls,
    kind: 'path',
    shape: '<file>',
    help: 'PEM of a certificate with which the server terminates TLS',
  },
  key: { group: 'tunnel', of: tls, kind: 'path', shape: '<file>', help: 'PEM of its private key' },
  'mutual-tls-ca': {
    group: 'visitors',
    of: ['http', 'tls'],
    kind: 'paths',
    shape: '<file>',
    help: 'only visitors with a certificate of these authorities, in PEM: ca.pem; repeatable',
  },
  'cidr-allow': {
    group: 'visitors',
    of: all,
    kind: 'texts',
    shape: '<range>',
    help: 'only visitors from this range: 192.0.2.0/24; repeatable',
  },
  'cidr-deny': {
    group: 'visitors',
    of: all,
    kind: 'texts',
    shape: '<range>',
    help: 'no visitor from this range, even if it is allowed: 192.0.2.7/32; repeatable',
  },
  'proxy-proto': {
    group: 'server',
    of: all,
    kind: 'word',
    shape: '<1|2>',
    help: "begin each connection with its visitor's address, in the PROXY protocol",
    notOf: 'file',
  },
  pooling: {
    group: 'tunnel',
    of: all,
    kind: 'flag',
    shape: '',
    help: 'share the name and its visitors with other agents that claim it',
  },
  description: {
    group: 'tunnel',
    of: all,
    kind: 'text',
    shape: '<text>',
    help: 'text about the tunnel, shown in the API: "the shop of the fair"',
  },
  quiet: { group: 'tunnel', of: http, kind: 'flag', shape: '', help: 'do not print requests' },
} as const satisfies Readonly<Record<string, TunnelSetting>>;

type SettingName = keyof typeof tunnelSettings;
type Camel<Text extends string> = Text extends `${infer First}-${infer Rest}`
  ? `${First}${Capitalize<Camel<Rest>>}`
  : Text;

/** Values as written, by the option parser's names of flags. */
export type TunnelWords = {
  readonly [Name in SettingName as Camel<Name>]?: Written[(typeof tunnelSettings)[Name]['kind']] | undefined;
};

/** Returns the settings for tunnels of a protocol. */
export function settingsOf(proto: Proto): readonly (readonly [name: string, setting: TunnelSetting])[] {
  return Object.entries<TunnelSetting>(tunnelSettings).filter(([, { of }]) => of.includes(proto));
}

/** The property of `TunnelWords`. */
export function wordOf(name: string): string {
  return name.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase());
}
