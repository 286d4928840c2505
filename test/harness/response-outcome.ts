/** Reads the outcome of a response form from the bytes that a visitor got. */

/** `bytes`: one character a byte, up to the end of the connection; an outcome as response-forms.ts has them. */
export function outcomeOf(bytes: string): string {
  const end = bytes.indexOf('\r\n\r\n');
  const [statusLine = '', ...lines] = bytes.slice(0, Math.max(0, end)).split('\r\n');
  const status = /^HTTP\/1\.[01] ([0-9]{3})/.exec(statusLine)?.[1];
  if (status === undefined) return bytes === '' ? 'cut' : `not HTTP: ${JSON.stringify(bytes.slice(0, 40))}`;
  if (status[0] === '1' && bytes.length > end + 4) return outcomeOf(bytes.slice(end + 4));
  if (status === '502') return '502';
  const fields = new Map(
    lines.map((line) => [line.slice(0, line.indexOf(':')).toLowerCase(), valueIn(line)]),
  );
  const body = status === '204' || status === '304' ? '' : bodyOf(bytes.slice(end + 4), fields);
  if (body === null) return 'cut';
  const value = fields.get('x');
  return `${status}${body === '' ? '' : ` ${body}`}${value === undefined ? '' : ` X: ${JSON.stringify(value)}`}`;
}

function valueIn(line: string): string {
  return line.slice(line.indexOf(':') + 1).trim();
}

/** Null: it is not whole. */
function bodyOf(bytes: string, fields: ReadonlyMap<string, string>): string | null {
  if (fields.get('transfer-encoding') === 'chunked') return chunksOf(bytes);
  const length = fields.get('content-length');
  if (length === undefined) return bytes;
  return bytes.length === Number(length) ? bytes : null;
}

function chunksOf(bytes: string): string | null {
  let body = '';
  let at = 0;
  for (;;) {
    const lineEnd = bytes.indexOf('\r\n', at);
    const size = lineEnd === -1 ? Number.NaN : Number.parseInt(bytes.slice(at, lineEnd), 16);
    if (Number.isNaN(size)) return null;
    at = lineEnd + 2;
    if (size === 0) return /^(?:[^\r\n]+\r\n)*\r\n$/.test(bytes.slice(at)) ? body : null;
    body += bytes.slice(at, at + size);
    if (bytes.slice(at + size, at + size + 2) !== '\r\n') return null;
    at += size + 2;
  }
}
