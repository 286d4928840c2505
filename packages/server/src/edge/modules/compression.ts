/**
 * The compression module: answers go out in Brotli, gzip or deflate where the visitor takes it. Never an answer that must stay as it is, or that
 * gains nothing by it.
 */
import type { SwitchModule } from '../../documents/index.ts';
import type { AgentCompression } from '../../online/agent-modules.ts';
import type { AnswerFacts, BodyStage, Fields, RequestFacts, StageDecision } from '../sites/site.ts';
import { type Coding, preferredCoding } from './accept-encoding.ts';
import type { EdgeModule } from './module.ts';
import { compressed, ZlibFilter } from './zlib-filter.ts';

/** Bytes below which the additional header field costs more than compression saves. */
const LEAST_LENGTH = 256;
/** Compressors at a time in the whole process, of some 300 KiB to 1 MiB each: beyond it answers go as they are. */
const MAX_OPEN = 512;

const COMPRESSIBLE = new Set([
  'application/javascript',
  'application/json',
  'application/manifest',
  'application/rtf',
  'application/vnd.ms-fontobject',
  'application/wasm',
  'application/x-javascript',
  'application/x-ndjson',
  'application/xml',
  'font/otf',
  'font/sfnt',
  'font/ttf',
  'image/bmp',
  'image/vnd.microsoft.icon',
  'image/x-icon',
]);
const COMPRESSIBLE_SUFFIX = /\+(?:json|xml|text)$/;
/** Fields that depend on the bytes (RFC 9530 and its predecessors), and those of partial responses. */
const BOUND_TO_BYTES = [
  'content-encoding',
  'content-range',
  'content-digest',
  'repr-digest',
  'digest',
  'content-md5',
];

const nothing: ReadonlySet<string> = new Set();
const ETAG = /^(?:W\/)?"[^"]*"$/;

export function compressionModule(maxOpen = MAX_OPEN): EdgeModule<SwitchModule | AgentCompression> {
  let open = 0;
  const closed = (): void => {
    open -= 1;
  };

  function decide(request: RequestFacts, answer: AnswerFacts, takesAll: boolean): StageDecision {
    if (!isEligible(answer, takesAll)) return asItIs({ remove: nothing, add: [] });
    const vary = varied(answer);
    const coding = wantsItAsItIs(request) ? null : preferredCoding(request.values('accept-encoding'));
    if (coding === null || open >= maxOpen) return asItIs(vary);
    const etag = weakened(answer);
    // A 304 has the fields of the confirmed response (RFC 9110, section 15.4.5).
    if (answer.status === 304) return asItIs(both(vary, etag));
    return {
      decision: coding,
      remove: new Set([...vary.remove, ...etag.remove, 'accept-ranges']),
      add: [...vary.add, ...etag.add, ['Content-Encoding', coding]],
      body: {
        filter: () => {
          open += 1;
          return new ZlibFilter(coding, closed);
        },
        whole: (body) => known(coding, body),
      },
    };
  }

  return {
    compile(config) {
      const takesAll = 'compressesAll' in config;
      const stage: BodyStage = {
        name: 'compression',
        decide: (request, answer) => decide(request, answer, takesAll),
      };
      return { bodyStages: [stage] };
    },
  };
}

export const compression = compressionModule();

/** Configured bodies, which are answered again and again, as they were compressed the first time. */
const configured: Readonly<Record<Coding, WeakMap<Buffer, Buffer>>> = {
  br: new WeakMap(),
  gzip: new WeakMap(),
  deflate: new WeakMap(),
};

function known(coding: Coding, body: Buffer): Buffer {
  let bytes = configured[coding].get(body);
  if (bytes === undefined) {
    bytes = compressed(coding, body);
    configured[coding].set(body, bytes);
  }
  return bytes;
}

interface Changes {
  readonly remove: ReadonlySet<string>;
  readonly add: Fields;
}

function asItIs(changes: Changes): StageDecision {
  return { decision: 'none', ...changes, body: null };
}

function both(one: Changes, other: Changes): Changes {
  return { remove: new Set([...one.remove, ...other.remove]), add: [...one.add, ...other.add] };
}

/** Returns true for a range, and for a response that must not be transformed (RFC 9111, section 5.2.1.6). */
function wantsItAsItIs(request: RequestFacts): boolean {
  return request.values('range').length > 0 || forbidsChange(request.values('cache-control').join());
}

function forbidsChange(cacheControl: string): boolean {
  return /\bno-transform\b/i.test(cacheControl);
}

/** `takesAll` includes small responses, and those without a type. */
function isEligible(answer: AnswerFacts, takesAll: boolean): boolean {
  if (answer.status === 206 || BOUND_TO_BYTES.some((name) => answer.field(name) !== '')) return false;
  if (forbidsChange(answer.field('cache-control'))) return false;
  if (answer.status === 304) return true;
  const type = answer.field('content-type');
  if (takesAll) return type === '' ? answer.length !== 0 : isCompressible(type);
  if (answer.length !== null && answer.length < LEAST_LENGTH) return false;
  return isCompressible(type);
}

/** Event streams are left alone, as their readers wait for each event. */
function isCompressible(contentType: string): boolean {
  const type = contentType.split(';', 1)[0]!.trim().toLowerCase();
  if (type.startsWith('text/')) return type !== 'text/event-stream';
  return COMPRESSIBLE.has(type) || COMPRESSIBLE_SUFFIX.test(type);
}

/** Returns the Vary field, also for uncompressed responses, because a cache must distinguish visitors. */
function varied(answer: AnswerFacts): Changes {
  const before = answer.field('vary');
  const names = before.split(',').map((name) => name.trim().toLowerCase());
  if (names.includes('*') || names.includes('accept-encoding')) return { remove: nothing, add: [] };
  const value = before === '' ? 'Accept-Encoding' : `${before}, Accept-Encoding`;
  return { remove: new Set(['vary']), add: [['Vary', value]] };
}

/** RFC 9110, section 8.8.1: other bytes cannot have the same strong validator. */
function weakened(answer: AnswerFacts): Changes {
  const etag = answer.field('etag');
  if (etag === '' || etag.startsWith('W/')) return { remove: nothing, add: [] };
  return { remove: new Set(['etag']), add: ETAG.test(etag) ? [['ETag', `W/${etag}`]] : [] };
}
