/**
 * Renders the edge's own responses: configured ones and errors.
 * Invariant: there is no other way to send one.
 */

import type { ErrorName } from '../../errors/catalogue.ts';
import type { DialFault } from '../../errors/dial-fault.ts';
import { reasonPhrase } from '../../http-syntax/reason-phrase.ts';
import type { Fields, Reply } from '../sites/site.ts';
import { type ErrorBytes, errorResponse } from './error-page.ts';
import { fieldLines } from './field-lines.ts';
import type { Shared } from './shared.ts';

/** RFC 9110, section 15.3.6: no content, with a length of 0. */
const RESET_CONTENT = 205;
const NOTHING = Buffer.alloc(0);

/** Facts of the request that a response depends on. */
export interface Asked {
  readonly isHead: boolean;
  readonly wantsHtml: boolean;
  /** True if the connection ends after it. */
  readonly close: boolean;
}

type Common = Pick<Shared, 'date' | 'errorCodeHeader' | 'errorPrefix'>;

/** Header edits of the route for the edge's own responses. */
export interface ReplyEdits {
  readonly removed: ReadonlySet<string>;
  readonly added: Fields;
  /** Bytes instead of the body. */
  readonly body: Buffer;
}

/** An error of the catalogue. `values` are for its message. `fault`: the cause of an upstream that was not reached; null for none. */
export function respondError(
  name: ErrorName,
  values: Readonly<Record<string, string | number>>,
  { isHead, wantsHtml, close }: Asked,
  common: Common,
  fault: DialFault | null = null,
): ErrorBytes {
  return errorResponse({
    name,
    values,
    fault,
    prefix: common.errorPrefix,
    codeHeader: common.errorCodeHeader,
    date: common.date,
    html: wantsHtml,
    headOnly: isHead,
    close,
  });
}

/** A configured answer. */
export function respondReply(
  reply: Reply,
  edits: ReplyEdits | null,
  asked: Pick<Asked, 'isHead' | 'close'>,
  common: Common,
): Buffer {
  if (edits !== null) return render(reply, edits, asked, common);
  let known = rendered.get(reply);
  if (known === undefined || known.date !== common.date) {
    known = { date: common.date, forms: [] };
    rendered.set(reply, known);
  }
  const index = (asked.isHead ? 1 : 0) + (asked.close ? 2 : 0);
  known.forms[index] ??= render(reply, null, asked, common);
  return known.forms[index];
}

/** The bytes of one configured response in all requested forms, created when needed and kept for a second. */
interface Rendered {
  readonly date: string;
  readonly forms: (Buffer | undefined)[];
}

const rendered = new WeakMap<Reply, Rendered>();

function render(
  reply: Reply,
  edits: ReplyEdits | null,
  { isHead, close }: Pick<Asked, 'isHead' | 'close'>,
  { date, errorCodeHeader }: Common,
): Buffer {
  const { status, headers } = reply;
  const body = status === RESET_CONTENT ? NOTHING : (edits ?? reply).body;
  const hasBody = status !== 204 && status !== 304;
  // The header of error codes may have been called otherwise when the answer was configured.
  const isFree = ([name]: readonly [string, string]) => name !== errorCodeHeader;
  const kept = headers.filter(([name]) => edits?.removed.has(name) !== true).filter(isFree);
  const isDated = edits?.removed.has('date') === true || headers.some(([name]) => name === 'date');
  const dated = isDated ? '' : `Date: ${date}\r\n`;
  let head = `HTTP/1.1 ${status} ${reasonPhrase(status)}\r\n${dated}${fieldLines(kept)}`;
  if (edits !== null) head += fieldLines(edits.added.filter(isFree));
  if (hasBody) head += `Content-Length: ${body.length}\r\n`;
  if (close) head += 'Connection: close\r\n';
  const bytes = Buffer.from(`${head}\r\n`, 'latin1');
  return hasBody && !isHead ? Buffer.concat([bytes, body]) : bytes;
}
