/**
 * Reads the specification of one tunnel from flags or the config file.
 * Invariant: every part of a specification is checked.
 */
import { InvalidInput, parseTcpUpstream, parseUpstream } from './address.ts';
import type { ForwardOptions } from './agent-options.ts';
import type { TunnelRequest } from './binding.ts';
import { readCertificates, readServedCertificates } from './certificate-files.ts';
import { checkAll } from './check-all.ts';
import { checkKeyOf } from './check-key.ts';
import { checkAddress, checkDomain, checkLabels, checkTexts } from './check-name.ts';
import { isFolderText, parseFolderText, type Serving, type Target } from './folder/folder-target.ts';
import { readModules } from './read-modules.ts';
import { checkServerName } from './server-name.ts';
import type { Settings } from './settings.ts';
import { readText } from './text-file.ts';
import { type Proto, settingsOf, type TunnelWords, wordOf } from './tunnel-settings.ts';

/** A tunnel to start. */
export interface TunnelSpec {
  /** Name in the config file; null for the only tunnel of a command line. */
  readonly name: string | null;
  readonly upstream: Target;
  readonly request: TunnelRequest;
  readonly upstreamTls?: ForwardOptions['upstreamTls'];
  readonly upstreamSni?: string;
  /** Requests are not reported, and not looked into. */
  readonly quiet: boolean;
}

export type TunnelIdentity = Pick<Settings, 'domain' | 'address' | 'labels' | 'metadata'>;

/** Parses what is forwarded to; paths are relative to the folder `from`. Throws InvalidInput. */
export function readUpstream(proto: Proto, text: string, how: Serving, from: string): Target {
  if (proto !== 'http') return parseTcpUpstream(text, from);
  return isFolderText(text) ? parseFolderText(text, from, how) : parseUpstream(text, from);
}

/** Returns an empty object without TLS settings. `upstream`: null if its text is wrong. Throws InvalidInput. */
export function readUpstreamTls(
  upstream: Target | null,
  words: TunnelWords,
): Pick<TunnelSpec, 'upstreamTls' | 'upstreamSni'> {
  const { upstreamTlsVerify, upstreamTlsVerifyCas: path, upstreamSni } = words;
  const isVerified = upstreamTlsVerify === true || path !== undefined;
  const isPlain = upstream !== null && upstream.scheme !== 'https';
  if (isVerified && isPlain)
    throw new InvalidInput(
      'Only the certificate of an https upstream is verified. Give https://HOST, or leave this out.',
      path === undefined ? 'upstream-tls-verify' : 'upstream-tls-verify-cas',
    );
  if (upstreamSni !== undefined && isPlain)
    throw new InvalidInput(
      'Only an https upstream gets a server name. Give https://HOST, or leave this out.',
      'upstream-sni',
    );
  return {
    ...(isVerified
      ? {
          upstreamTls:
            path === undefined
              ? {}
              : { ca: readCertificates(path, 'The CA file', 'upstream-tls-verify-cas') },
        }
      : {}),
    ...(upstreamSni === undefined ? {} : { upstreamSni: checkServerName(upstreamSni) }),
  };
}

/** `upstream`: null where what is given as one is wrong. Throws InvalidInput, with all that is wrong. */
export function readRequest(
  proto: Proto,
  upstream: Target | null,
  name: TunnelIdentity,
  words: TunnelWords,
): TunnelRequest {
  const { domain, address, labels, metadata } = name;
  const [termination, proxyProtocol, scheme, upstreamProtocol, modules] = checkAll([
    () => readTermination(words),
    () => readProxyProtocol(words, labels),
    () => readScheme(words, labels),
    () => readUpstreamProtocol(words),
    () => readModules(upstream, words),
    () => refuseMisfit(proto, name),
    () => checkNames(proto, name),
    () => checkTexts({ metadata, description: words.description }),
    () => refusePassing(proto, words),
    () => refuseAlone(proto, words),
    () => refuseEmpty(proto, words),
    () => upstream !== null && refuseOfFolder(upstream, words),
    () => labels !== undefined && refuseOfNames(words),
  ]);
  const { pooling, description } = words;
  const isEdgeAsked = Object.keys(modules).length > 0;
  if (isEdgeAsked && labels !== undefined)
    throw new InvalidInput(
      'A labelled tunnel leaves headers, logins and the like to its edge. Set them there.',
    );
  return {
    proto,
    ...(domain === undefined ? {} : { domain }),
    ...(address === undefined ? {} : { address }),
    ...(labels === undefined ? {} : { labels }),
    ...(metadata === undefined ? {} : { metadata }),
    ...(termination === undefined ? {} : { termination }),
    ...(proxyProtocol === undefined ? {} : { proxyProtocol }),
    ...(scheme === undefined ? {} : { scheme }),
    ...(upstreamProtocol === undefined ? {} : { upstreamProtocol }),
    ...(pooling === true ? { pooling } : {}),
    ...(description === undefined ? {} : { description }),
    ...(isEdgeAsked ? { modules } : {}),
  };
}

/** The config file may be of a tunnel of another kind. */
function refuseMisfit(proto: Proto, { domain, address }: TunnelIdentity): void {
  if (proto === 'tcp' && domain !== undefined)
    throw new InvalidInput(
      'A TCP tunnel has an address and no domain. Give --address HOST:PORT, or neither.',
      'domain',
    );
  if (proto !== 'tcp' && address !== undefined)
    throw new InvalidInput('Only a TCP tunnel has an address. Give --domain NAME, or neither.', 'address');
}

/** Names of the other kind of tunnel are `refuseMisfit`'s. */
function checkNames(proto: Proto, { domain, address, labels }: TunnelIdentity): void {
  if (domain !== undefined && proto !== 'tcp') checkDomain(domain);
  if (address !== undefined && proto === 'tcp') checkAddress(address);
  if (labels !== undefined) checkLabels(labels);
}

/** Certificates of visitors are seen only where TLS ends. */
function refusePassing(proto: Proto, words: TunnelWords): void {
  const { mutualTlsCa, terminate, certificate, key, scheme } = words;
  if (mutualTlsCa === undefined) return;
  const isPassing = terminate !== true && certificate === undefined && key === undefined;
  if (proto === 'tls' && isPassing)
    throw new InvalidInput(
      'TLS passes through to the local server, which alone sees certificates. Give --terminate, or leave this out.',
      'mutual-tls-ca',
    );
  if (scheme === 'http')
    throw new InvalidInput(
      'Visitors show certificates over https only. Leave --scheme http out, or this.',
      'mutual-tls-ca',
    );
}

/** A login whose provider was forgotten would let everybody in. */
function refuseAlone(proto: Proto, words: TunnelWords): void {
  const given = new Map<string, unknown>(Object.entries(words));
  const isGiven = (name: string) => given.get(wordOf(name)) !== undefined;
  checkAll(
    settingsOf(proto).map(([name, { goesWith }]) => () => {
      if (goesWith !== undefined && isGiven(name) && !isGiven(goesWith))
        throw new InvalidInput(`Give --${goesWith} as well, or leave --${name} out.`, name);
    }),
  );
}

/** `name`: a setting that is given without a value. */
export function emptySetting(name: string): InvalidInput {
  return new InvalidInput('The value is empty. Give one, or leave this out.', name);
}

/** Throws InvalidInput for an empty setting that could be the one that restricts visitors. */
function refuseEmpty(proto: Proto, words: TunnelWords): void {
  const given = new Map<string, unknown>(Object.entries(words));
  checkAll(
    settingsOf(proto).map(([name, { group }]) => () => {
      const value = given.get(wordOf(name));
      const isEmpty = Array.isArray(value) ? value.length === 0 || value.includes('') : value === '';
      if (group === 'visitors' && isEmpty) throw emptySetting(name);
    }),
  );
}

/** Labelled tunnels of one label share its visitors anyway, and are described by their metadata. */
function refuseOfNames({ pooling, description }: TunnelWords): void {
  if (pooling === true)
    throw new InvalidInput('Labelled tunnels share their visitors anyway. Leave --pooling out.', 'pooling');
  if (description !== undefined)
    throw new InvalidInput('A labelled tunnel has no description. Give --metadata instead.', 'description');
}

/** The agent serves a folder itself, in one way. */
function refuseOfFolder(upstream: Target, { hidden, proxyProto, upstreamProtocol }: TunnelWords): void {
  if (!('folder' in upstream)) {
    if (hidden === true) throw new InvalidInput('Only a folder has hidden files. Leave this out.', 'hidden');
    return;
  }
  if (proxyProto !== undefined)
    throw new InvalidInput('A folder is served without the PROXY protocol. Leave this out.', 'proxy-proto');
  if (upstreamProtocol === 'http2')
    throw new InvalidInput('A folder is served over HTTP/1.1. Leave this out.', 'upstream-protocol');
}

/** Undefined: TLS passes through. */
function readTermination({ terminate, certificate, key }: TunnelWords): TunnelRequest['termination'] {
  if ((certificate === undefined) !== (key === undefined))
    throw new InvalidInput(
      'A certificate needs its private key. Give both --certificate FILE and --key FILE.',
      certificate === undefined ? 'key' : 'certificate',
    );
  if (certificate !== undefined && key !== undefined) {
    const [pem, keyText] = checkAll([
      () => readServedCertificates(certificate, 'The certificate file', 'certificate'),
      () => readText(key, 'The key file', { flag: 'key' }),
    ]);
    checkKeyOf(
      { what: `certificate file ${certificate}`, path: certificate, text: pem },
      { what: `key file ${key}`, path: key, text: keyText },
    );
    return { certificate: pem, key: keyText };
  }
  return terminate === true ? {} : undefined;
}

function readProxyProtocol(
  { proxyProto }: TunnelWords,
  labels: TunnelIdentity['labels'],
): TunnelRequest['proxyProtocol'] {
  if (proxyProto === undefined) return undefined;
  if (labels !== undefined)
    throw new InvalidInput(
      'A labelled tunnel has no PROXY protocol. Give one of --label and --proxy-proto.',
      'proxy-proto',
    );
  if (proxyProto !== '1' && proxyProto !== '2')
    throw new InvalidInput('The PROXY protocol has the versions 1 and 2. Give one of them.', 'proxy-proto');
  return proxyProto === '1' ? 1 : 2;
}

function readScheme({ scheme }: TunnelWords, labels: TunnelIdentity['labels']): TunnelRequest['scheme'] {
  if (scheme === undefined) return undefined;
  if (labels !== undefined)
    throw new InvalidInput('A labelled tunnel has no URL. Give one of --label and --scheme.', 'scheme');
  if (scheme !== 'http' && scheme !== 'https')
    throw new InvalidInput('The scheme of a URL is http or https. Give one of them.', 'scheme');
  return scheme;
}

function readUpstreamProtocol({ upstreamProtocol }: TunnelWords): TunnelRequest['upstreamProtocol'] {
  if (upstreamProtocol !== undefined && upstreamProtocol !== 'http1' && upstreamProtocol !== 'http2')
    throw new InvalidInput(
      'A local server is spoken with in http1 or http2. Give one of them.',
      'upstream-protocol',
    );
  return upstreamProtocol === 'http2' ? 'http2' : undefined;
}
