/** Responds to a query with the request to return over TCP, without decoding its names or a lookup. */

const headerBytes = 12;
const typeAndClassBytes = 4;
const maxNameBytes = 255;
const maxLabelBytes = 63;
const optType = 41;
/** An OPT record without options (RFC 6891, section 6.1.2), for 1232 bytes over UDP. */
const extensions = Buffer.from([0, 0, optType, 1232 >> 8, 1232 & 0xff, 0, 0, 0, 0, 0, 0]);
const flag = { response: 0x80, opcode: 0x78, authoritative: 0x04, truncated: 0x02, recursionDesired: 0x01 };

/** Never larger than the query. Null: it is no query with one question, and gets no answer. */
export function truncatedResponse(query: Buffer): Buffer | null {
  if (query.length < headerBytes) return null;
  const flags = query[2]!;
  if ((flags & (flag.response | flag.opcode)) !== 0 || query.readUInt16BE(4) !== 1) return null;
  const end = questionEnd(query);
  if (end === null) return null;
  const header = Buffer.alloc(headerBytes);
  query.copy(header, 0, 0, 2);
  header[2] = flag.response | flag.authoritative | flag.truncated | (flags & flag.recursionDesired);
  header[5] = 1;
  const hasExtensions = query.length >= end + extensions.length && query.readUInt16BE(end + 1) === optType;
  header[11] = hasExtensions ? 1 : 0;
  return Buffer.concat([header, query.subarray(headerBytes, end), ...(hasExtensions ? [extensions] : [])]);
}

/** The offset behind the question; null: it is malformed. */
function questionEnd(query: Buffer): number | null {
  let at = headerBytes;
  while (at < query.length && query[at] !== 0) {
    const length = query[at]!;
    if (length > maxLabelBytes) return null;
    at += 1 + length;
  }
  const end = at + 1 + typeAndClassBytes;
  return end > query.length || at + 1 - headerBytes > maxNameBytes ? null : end;
}
