/** The interface of webhook signatures: the signed text, its place, and its lifetime. */
import { webhookKeyText } from '../../../core/modules/webhook-providers.ts';
import { schemeOf } from '../../sites/facts.ts';
import type { RequestFacts } from '../../sites/site.ts';

/** The signature fields of a request. */
export interface Signed {
  /** Signatures, one of which must be correct, because senders rotate their keys. */
  readonly signatures: readonly string[];
  /** '' where the scheme has none. */
  readonly stamp: string;
}

export interface Scheme {
  readonly algorithm: 'sha1' | 'sha256' | 'sha512';
  readonly encoding: 'hex' | 'base64';
  /** Seconds that the time stamp may differ from the clock; null: the scheme has none. */
  readonly toleranceSeconds: number | null;
  read(request: RequestFacts): Signed;
  /** Returns the signed text, in its parts. */
  message(signed: Signed, request: RequestFacts, body: Buffer): readonly (string | Buffer)[];
  /** Default: the bytes of the secret. */
  key?(secret: string): Buffer;
  /** Returns true if the signed text covers the body; absent: always. */
  covers?(request: RequestFacts, body: Buffer): boolean;
}

/** Seconds of tolerance if the sender documents no other. */
const usualTolerance = 180;

export function header(request: RequestFacts, name: string): string {
  return request.values(name)[0] ?? '';
}

/** The rest of a text that begins so, as the only one; nothing of any other. */
function after(prefix: string, text: string): readonly string[] {
  return text !== '' && text.startsWith(prefix) ? [text.slice(prefix.length)] : [];
}

type OfBody = Partial<Pick<Scheme, 'algorithm' | 'encoding' | 'key'>> & { readonly prefix?: string };

/** The body alone is signed. */
export function ofBody(name: string, { prefix = '', ...options }: OfBody = {}): Scheme {
  return {
    algorithm: 'sha256',
    encoding: 'hex',
    toleranceSeconds: null,
    read: (request) => ({ signatures: after(prefix, header(request, name)), stamp: '' }),
    message: (_signed, _request, body) => [body],
    ...options,
  };
}

/** One header has names and values, such as `v1=…,v1=…`: those of one name are signatures, and perhaps another is the time stamp. */
export function inPairs(
  name: string,
  { stamp = null, signature, tolerance = usualTolerance }: PairNames,
): Scheme {
  return {
    algorithm: 'sha256',
    encoding: 'hex',
    toleranceSeconds: stamp === null ? null : tolerance,
    read(request) {
      const pairs = header(request, name)
        .split(/[,; ]+/)
        .map((pair) => [pair.slice(0, Math.max(0, pair.indexOf('='))), pair.slice(pair.indexOf('=') + 1)]);
      const valuesOf = (wanted: string) =>
        pairs.filter(([key]) => key === wanted).map(([, value = '']) => value);
      return { signatures: valuesOf(signature), stamp: stamp === null ? '' : (valuesOf(stamp)[0] ?? '') };
    },
    message: ({ stamp: at }, _request, body) => (stamp === null ? [body] : [`${at}.`, body]),
  };
}

interface PairNames {
  readonly stamp?: string | null;
  readonly signature: string;
  readonly tolerance?: number;
}

/** Signature and time stamp have a header each. */
export function stamped(
  { signature, stamp, prefix = '', tolerance = usualTolerance, encoding = 'hex' }: StampedNames,
  message: (stamp: string, body: Buffer, request: RequestFacts) => readonly (string | Buffer)[],
): Scheme {
  return {
    algorithm: 'sha256',
    encoding,
    toleranceSeconds: tolerance,
    read: (request) => ({
      signatures: [signature]
        .flat()
        .flatMap((name) => header(request, name).split(/[ ,]+/))
        .flatMap((text) => after(prefix, text)),
      stamp: header(request, stamp),
    }),
    message: ({ stamp: at }, request, body) => message(at, body, request),
  };
}

interface StampedNames {
  readonly signature: string | readonly string[];
  readonly stamp: string;
  readonly prefix?: string;
  readonly tolerance?: number;
  readonly encoding?: Scheme['encoding'];
}

/** The specification that svix and others share; the secret is base64 behind `whsec_`. */
export function standardWebhooks(prefix: string): Scheme {
  return {
    algorithm: 'sha256',
    encoding: 'base64',
    toleranceSeconds: 300,
    read: (request) => ({
      signatures: header(request, `${prefix}-signature`)
        .split(' ')
        .flatMap((text) => after('v1,', text)),
      stamp: header(request, `${prefix}-timestamp`),
    }),
    message: ({ stamp }, request, body) => [`${header(request, `${prefix}-id`)}.${stamp}.`, body],
    key: (secret) => Buffer.from(webhookKeyText(secret), 'base64'),
  };
}

/** The URL as the sender was given it: how it was reached. */
export function urlOf(request: RequestFacts): string {
  const { target, connection } = request;
  return target.startsWith('/') ? `${schemeOf(connection)}://${header(request, 'host')}${target}` : target;
}
