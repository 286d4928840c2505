/**
 * Forms in which servers write HTTP/1.x responses, with the outcome for a visitor here and behind nginx 1.22, Caddy 2.6 and HAProxy 2.6 (measured).
 * An outcome is the status, the body, and the value of `X` if there is one; `502`: refused; `cut`: the response ends before it is whole.
 */

export interface ResponseForm {
  readonly name: string;
  /** One character a byte. */
  readonly bytes: string;
  /** The server closes its side after these bytes. */
  readonly closes: boolean;
  readonly ours: string;
  readonly nginx: string;
  readonly caddy: string;
  readonly haproxy: string;
  /** Part of the reason that the owner reads; null: nothing is refused. */
  readonly fault: string | null;
}

export type ProxyColumn = 'ours' | 'nginx' | 'caddy' | 'haproxy';

type Outcomes = readonly [ours: string, nginx: string, caddy: string, haproxy: string];

function form(name: string, bytes: string, outcomes: Outcomes, fault: string | null = null): ResponseForm {
  const [ours, nginx, caddy, haproxy] = outcomes;
  return { name, bytes, closes: false, ours, nginx, caddy, haproxy, fault };
}

function closing(name: string, bytes: string, outcomes: Outcomes, fault: string | null = null): ResponseForm {
  return { ...form(name, bytes, outcomes, fault), closes: true };
}

/** `lines`: header lines with their line ends. */
function ok(lines: string): string {
  return `HTTP/1.1 200 OK\r\n${lines}`;
}

function sized(lines: string): string {
  return ok(`${lines}Content-Length: 2\r\n\r\nhi`);
}

function chunks(text: string): string {
  return ok(`Transfer-Encoding: chunked\r\n\r\n${text}`);
}

export const responseForms: readonly ResponseForm[] = [
  // Line ends.
  form('LF', 'HTTP/1.1 200 OK\nContent-Length: 2\nX: a\n\nhi', [
    '200 hi X: "a"',
    '200 hi X: "a"',
    '200 hi X: "a"',
    '200 hi X: "a"',
  ]),
  closing('LF until the end', 'HTTP/1.1 200 OK\nX: a\n\nhi', [
    '200 hi X: "a"',
    '200 hi X: "a"',
    '200 hi X: "a"',
    '200 hi X: "a"',
  ]),
  form('CRLF, and an empty line of LF', 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\nhi', [
    '200 hi',
    '200 hi',
    '200 hi',
    '200 hi',
  ]),
  form('LF, and an empty line of CRLF', 'HTTP/1.1 200 OK\nContent-Length: 2\n\r\nhi', [
    '200 hi',
    '200 hi',
    '200 hi',
    '200 hi',
  ]),
  form('LF in the status line only', 'HTTP/1.1 200 OK\nContent-Length: 2\r\n\r\nhi', [
    '200 hi',
    '200 hi',
    '200 hi',
    '200 hi',
  ]),
  form('LF of chunks', 'HTTP/1.1 200 OK\nTransfer-Encoding: chunked\n\n2\nhi\n0\n\n', [
    '200 hi',
    '200 hi',
    '200 hi',
    '200 hi',
  ]),
  form('empty lines before', `\r\n\r\n${sized('')}`, ['200 hi', 'cut', '502', '200 hi']),
  form('an empty line of LF before', `\n${sized('')}`, ['200 hi', 'cut', '502', '200 hi']),
  form(
    'CR in a value',
    sized('X: a\rb\r\n'),
    ['502', '502', '200 hi X: "a b"', '502'],
    'a header line with a CR or NUL in it: "X: a\\x0db"',
  ),
  form('two CRs before the LF', sized('X: a\r\r\n'), [
    '200 hi X: "a"',
    '200 hi X: "a"',
    '200 hi X: "a"',
    '502',
  ]),
  // Status lines.
  form('no reason', 'HTTP/1.1 200 \r\nContent-Length: 2\r\n\r\nhi', ['200 hi', '200 hi', '200 hi', '200 hi']),
  form('no reason and no space', 'HTTP/1.1 200\r\nContent-Length: 2\r\n\r\nhi', [
    '200 hi',
    '200 hi',
    '200 hi',
    '200 hi',
  ]),
  form('two spaces before the status', 'HTTP/1.1  200 OK\r\nContent-Length: 2\r\n\r\nhi', [
    '200 hi',
    '200 hi',
    '200 hi',
    '200 hi',
  ]),
  form('a tab before the reason', 'HTTP/1.1 200\tOK\r\nContent-Length: 2\r\n\r\nhi', [
    '200 hi',
    'cut',
    '502',
    '200 hi',
  ]),
  form('a reason of other bytes', 'HTTP/1.1 200 \xc3\xa9\r\nContent-Length: 2\r\n\r\nhi', [
    '200 hi',
    '200 hi',
    '200 hi',
    '200 hi',
  ]),
  form('a control character in the reason', 'HTTP/1.1 200 O\x01K\r\nContent-Length: 2\r\n\r\nhi', [
    '200 hi',
    '200 hi',
    '200 hi',
    '200 hi',
  ]),
  form('HTTP/1.2', 'HTTP/1.2 200 OK\r\nContent-Length: 2\r\n\r\nhi', [
    '200 hi',
    '200 hi',
    '200 hi',
    '200 hi',
  ]),
  form(
    'HTTP/2.0',
    'HTTP/2.0 200 OK\r\nContent-Length: 2\r\n\r\nhi',
    ['502', '200 hi', '200 hi', '200 hi'],
    'no status line of HTTP/1.1: "HTTP/2.0 200 OK"',
  ),
  form(
    'http/1.1',
    'http/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi',
    ['502', 'cut', '502', '502'],
    'no status line of HTTP/1.1: "http/1.1 200 OK"',
  ),
  form(
    'HTTP/1.1 without a status',
    'HTTP/1.1 OK\r\nContent-Length: 2\r\n\r\nhi',
    ['502', 'cut', '502', '502'],
    'no status line of HTTP/1.1: "HTTP/1.1 OK"',
  ),
  form(
    'two digits',
    'HTTP/1.1 20 OK\r\nContent-Length: 2\r\n\r\nhi',
    ['502', 'cut', '502', 'not HTTP: "HTTP/1.1 20 OK\\r\\n\\r\\nhi"'],
    'no status line of HTTP/1.1: "HTTP/1.1 20 OK"',
  ),
  form(
    'four digits',
    'HTTP/1.1 2000 OK\r\nContent-Length: 2\r\n\r\nhi',
    ['502', 'cut', '502', '200 hi'],
    'no status line of HTTP/1.1: "HTTP/1.1 2000 OK"',
  ),
  form('status 600', 'HTTP/1.1 600 OK\r\nContent-Length: 2\r\n\r\nhi', [
    '600 hi',
    '600 hi',
    '600 hi',
    '600 hi',
  ]),
  form('status 999', 'HTTP/1.1 999 OK\r\nContent-Length: 2\r\n\r\nhi', [
    '999 hi',
    '999 hi',
    '999 hi',
    '999 hi',
  ]),
  form(
    'status 099',
    'HTTP/1.1 099 OK\r\nContent-Length: 2\r\n\r\nhi',
    ['502', '099 hi', 'cut', '099 hi'],
    'no status line of HTTP/1.1: "HTTP/1.1 099 OK"',
  ),
  closing(
    'ICY',
    'ICY 200 OK\r\nContent-Length: 2\r\n\r\nhi',
    ['502', 'not HTTP: "ICY 200 OK\\r\\nContent-Length: 2\\r\\n\\r\\nhi"', '502', '502'],
    'no status line of HTTP/1.1: "ICY 200 OK"',
  ),
  closing(
    'HTTP/0.9',
    '<html>hi</html>',
    ['502', 'not HTTP: "<html>hi</html>"', '502', '502'],
    'no status line of HTTP/1.1: "<html>hi</html>"',
  ),
  closing(
    'SSH',
    'SSH-2.0-OpenSSH_9.2\r\n',
    ['502', 'not HTTP: "SSH-2.0-OpenSSH_9.2\\r\\n"', '502', '502'],
    'no status line of HTTP/1.1: "SSH-2.0-OpenSSH_9.2"',
  ),
  // Header lines.
  form('a space before a colon', sized('X : a\r\n'), ['200 hi X: "a"', '502', '200 hi', '502']),
  form('a tab before a colon', sized('X\t: a\r\n'), ['200 hi X: "a"', '502', '200 hi', '502']),
  form('a space before the colon of a length', ok('Content-Length : 2\r\n\r\nhi'), [
    '200 hi',
    '502',
    '200 hi',
    '502',
  ]),
  form('a space before the colon of chunks', ok('Transfer-Encoding : Chunked\r\n\r\n2\r\nhi\r\n0\r\n\r\n'), [
    '200 hi',
    '502',
    '200 2\r\nhi\r\n0\r\n\r\n',
    '502',
  ]),
  form('a folded line', sized('X: a\r\n b\r\n'), [
    '200 hi X: "a b"',
    '502',
    '200 hi X: "a b"',
    '200 hi X: "a   b"',
  ]),
  form('a line folded with a tab, twice', sized('X: a\r\n\tb\r\n\t c\r\n'), [
    '200 hi X: "a b c"',
    '502',
    '200 hi X: "a b c"',
    '200 hi X: "a  \\tb  \\t c"',
  ]),
  form('a folded line that looks like a field', sized('X: a\r\n Content-Length: 3\r\n'), [
    '200 hi X: "a Content-Length: 3"',
    '502',
    '200 hi X: "a Content-Length: 3"',
    '200 hi X: "a   Content-Length: 3"',
  ]),
  form('a folded length', ok('Content-Length:\r\n 2\r\n\r\nhi'), ['200 hi', '502', '200 hi', '200 hi']),
  form('a line of a space', sized('X: a\r\n \r\n'), [
    '200 hi X: "a"',
    '502',
    '200 hi X: "a"',
    '200 hi X: "a"',
  ]),
  form(
    'a space before the first field',
    sized(' X: a\r\n'),
    ['502', '502', '502', '502'],
    'white space before the first header line: " X: a"',
  ),
  form('an empty value', sized('X:\r\n'), ['200 hi X: ""', '200 hi X: ""', '200 hi X: ""', '200 hi X: ""']),
  form('no space after the colon', sized('X:a\r\n'), [
    '200 hi X: "a"',
    '200 hi X: "a"',
    '200 hi X: "a"',
    '200 hi X: "a"',
  ]),
  form('bytes from 0x80 on', sized('X: \xe4\xff\r\n'), [
    '200 hi X: "äÿ"',
    '200 hi X: "äÿ"',
    '200 hi X: "äÿ"',
    '200 hi X: "äÿ"',
  ]),
  form(
    'NUL in a value',
    sized('X: a\0b\r\n'),
    ['502', '502', '200 hi X: "a\\u0000b"', '200 hi X: "a\\u0000b"'],
    'a header line with a CR or NUL in it: "X: a\\x00b"',
  ),
  form('ESC in a value', sized('X: a\x1bb\r\n'), [
    '200 hi X: "a b"',
    '200 hi X: "a\\u001bb"',
    '200 hi X: "a\\u001bb"',
    '200 hi X: "a\\u001bb"',
  ]),
  form('DEL in a value', sized('X: a\x7fb\r\n'), [
    '200 hi X: "a b"',
    '200 hi X: "ab"',
    '200 hi X: "ab"',
    '200 hi X: "ab"',
  ]),
  form(
    'a space in a name',
    sized('Bad Name: 1\r\n'),
    ['502', '502', '200 hi', '502'],
    'a header line whose name is not valid: "Bad Name: 1"',
  ),
  form(
    'a byte from 0x80 on in a name',
    sized('B\xe4d: 1\r\n'),
    ['502', '200 hi', '200 hi', '502'],
    'a header line whose name is not valid: "B\\xe4d: 1"',
  ),
  form(
    'NUL in a name',
    sized('B\0d: 1\r\n'),
    ['502', '502', '200 hi', '502'],
    'a header line with a CR or NUL in it: "B\\x00d: 1"',
  ),
  form(
    'a slash in a name',
    sized('B/d: 1\r\n'),
    ['502', '200 hi', '200 hi', '502'],
    'a header line whose name is not valid: "B/d: 1"',
  ),
  form(
    'no name',
    sized(': 1\r\n'),
    ['502', '502', '200 hi', '502'],
    'a header line whose name is not valid: ": 1"',
  ),
  form(
    'no colon',
    sized('Nothing\r\n'),
    ['502', '200 hi', '502', '502'],
    'a header line without a colon: "Nothing"',
  ),
  form(
    'no colon, of LF',
    'HTTP/1.1 200 OK\nContent-Length: 2\nNothing\n\nhi',
    ['502', '200 hi', '502', '502'],
    'a header line without a colon: "Nothing"',
  ),
  form('a value of 20,000 bytes', sized(`Y: ${'a'.repeat(20_000)}\r\n`), ['200 hi', '502', '200 hi', '502']),
  form(
    'a head of 70,000 bytes',
    sized(`Y: ${'a'.repeat(70_000)}\r\n`),
    ['502', '502', 'not HTTP: "HTTP/1.1 200 OK\\r\\nContent-Length: 2\\r\\nServ"', '502'],
    'a head of more than 65536 bytes',
  ),
  // Lengths.
  form('a length twice', ok('Content-Length: 2\r\nContent-Length: 2\r\n\r\nhi'), [
    '200 hi',
    '200 hi',
    '200 hi',
    '200 hi',
  ]),
  form('a length twice in one line', ok('Content-Length: 2, 2\r\n\r\nhi'), [
    '200 hi',
    'cut',
    '502',
    '200 hi',
  ]),
  form(
    'different lengths',
    ok('Content-Length: 2\r\nContent-Length: 3\r\n\r\nhi'),
    ['502', 'cut', '502', '502'],
    'different values of Content-Length: "2, 3"',
  ),
  form(
    'different lengths in one line',
    ok('Content-Length: 2, 3\r\n\r\nhi'),
    ['502', 'cut', '502', '502'],
    'different values of Content-Length: "2, 3"',
  ),
  form(
    'a length with a plus',
    ok('Content-Length: +2\r\n\r\nhi'),
    ['502', 'cut', '502', '502'],
    'a Content-Length that is not a number: "+2"',
  ),
  form(
    'a negative length',
    ok('Content-Length: -2\r\n\r\nhi'),
    ['502', 'cut', '502', '502'],
    'a Content-Length that is not a number: "-2"',
  ),
  form('a length with zeros', ok('Content-Length: 0002\r\n\r\nhi'), ['200 hi', '200 hi', '200 hi', '200 hi']),
  form(
    'a hexadecimal length',
    ok('Content-Length: 0x2\r\n\r\nhi'),
    ['502', 'cut', '502', '502'],
    'a Content-Length that is not a number: "0x2"',
  ),
  closing(
    'an empty length',
    ok('Content-Length:\r\n\r\nhi'),
    ['502', '200 hi', '200 hi', '502'],
    'a Content-Length that is not a number: ""',
  ),
  form(
    'a length of 30 digits',
    ok(`Content-Length: ${'9'.repeat(30)}\r\n\r\nhi`),
    ['502', 'cut', '502', '502'],
    'a Content-Length that is not a number: "999999999999999999999999999999"',
  ),
  closing('no length', ok('\r\nhi'), ['200 hi', '200 hi', '200 hi', '200 hi']),
  closing('no length in 1.0', 'HTTP/1.0 200 OK\r\n\r\nhi', ['200 hi', '200 hi', '200 hi', '200 hi']),
  form('a length in 1.0', 'HTTP/1.0 200 OK\r\nContent-Length: 2\r\n\r\nhi', [
    '200 hi',
    '200 hi',
    '200 hi',
    '200 hi',
  ]),
  closing('a body that is too short', ok('Content-Length: 5\r\n\r\nhi'), ['cut', 'cut', 'cut', 'cut']),
  form('a body that is too long', ok('Content-Length: 2\r\n\r\nhi, and more'), [
    '200 hi',
    '200 hi',
    '200 hi',
    '200 hi',
  ]),
  // Codings.
  form(
    'a length and chunks',
    ok('Content-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nhi\r\n0\r\n\r\n'),
    ['200 hi', '200 hi', '200 hi', '200 hi'],
  ),
  form(
    'chunks and no number as length',
    ok('Transfer-Encoding: chunked\r\nContent-Length: x\r\n\r\n2\r\nhi\r\n0\r\n\r\n'),
    ['200 hi', '200 hi', '200 hi', '502'],
  ),
  closing('chunks in 1.0', 'HTTP/1.0 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nhi\r\n0\r\n\r\n', [
    '200 hi',
    '200 hi',
    '200 2\r\nhi\r\n0\r\n\r\n',
    '200 hi',
  ]),
  form('upper case', ok('TRANSFER-ENCODING: CHUNKED\r\n\r\n2\r\nhi\r\n0\r\n\r\n'), [
    '200 hi',
    '200 hi',
    '200 hi',
    '200 2\r\nhi\r\n0\r\n\r\n',
  ]),
  form(
    'chunked twice',
    ok('Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nhi\r\n0\r\n\r\n'),
    ['502', '200 hi', '502', '502'],
    'a Transfer-Encoding other than chunked: "chunked, chunked"',
  ),
  form(
    'chunked, chunked',
    ok('Transfer-Encoding: chunked, chunked\r\n\r\n2\r\nhi\r\n0\r\n\r\n'),
    ['502', '200 hi', '502', '502'],
    'a Transfer-Encoding other than chunked: "chunked, chunked"',
  ),
  form('a list with an empty element', ok('Transfer-Encoding: , chunked\r\n\r\n2\r\nhi\r\n0\r\n\r\n'), [
    '200 hi',
    '200 hi',
    '502',
    '502',
  ]),
  form(
    'gzip, chunked',
    ok('Transfer-Encoding: gzip, chunked\r\n\r\n2\r\nhi\r\n0\r\n\r\n'),
    ['502', '200 hi', '502', '502'],
    'a Transfer-Encoding other than chunked: "gzip, chunked"',
  ),
  closing(
    'gzip',
    ok('Transfer-Encoding: gzip\r\n\r\nhi'),
    ['502', '200 hi', '502', '502'],
    'a Transfer-Encoding other than chunked: "gzip"',
  ),
  closing('identity', ok('Transfer-Encoding: identity\r\n\r\nhi'), ['200 hi', '200 hi', '502', '502']),
  form('identity and a length', ok('Transfer-Encoding: identity\r\nContent-Length: 2\r\n\r\nhi'), [
    '200 hi',
    '200 hi',
    '502',
    '502',
  ]),
  form('identity, chunked', ok('Transfer-Encoding: identity, chunked\r\n\r\n2\r\nhi\r\n0\r\n\r\n'), [
    '200 hi',
    '200 hi',
    '502',
    '502',
  ]),
  closing(
    'an unknown coding',
    ok('Transfer-Encoding: xchunked\r\n\r\nhi'),
    ['502', 'cut', '502', '502'],
    'a Transfer-Encoding other than chunked: "xchunked"',
  ),
  closing('an empty coding', ok('Transfer-Encoding:\r\n\r\nhi'), ['200 hi', '200 hi', '502', '200 hi']),
  // Chunks.
  form('extensions', chunks('2;a=b;c="d"\r\nhi\r\n0;e\r\n\r\n'), ['200 hi', '200 hi', '200 hi', '200 hi']),
  form('white space after a size', chunks('2  \r\nhi\r\n0 \r\n\r\n'), [
    '200 hi',
    '200 hi',
    '200 hi',
    '200 hi',
  ]),
  form(
    'white space before a size',
    chunks(' 2\r\nhi\r\n0\r\n\r\n'),
    ['502', 'cut', '200', '502'],
    'a chunk that is not valid: " 2"',
  ),
  form('zeros before a size', chunks('002\r\nhi\r\n000\r\n\r\n'), ['200 hi', '200 hi', '200 hi', '200 hi']),
  form('LF in chunks', chunks('2\nhi\n0\n\n'), ['200 hi', '200 hi', '200 hi', '200 hi']),
  form('LF after data only', chunks('2\r\nhi\n0\r\n\r\n'), ['200 hi', '200 hi', '200 hi', '200 hi']),
  form('LF after an extension', chunks('2;a\nhi\r\n0\r\n\r\n'), ['200 hi', '200 hi', '200 hi', '200 hi']),
  form(
    'a size with 0x',
    chunks('0x2\r\nhi\r\n0\r\n\r\n'),
    ['cut', 'cut', '200', '502'],
    'a chunk that is not valid: "x2"',
  ),
  form(
    'a size that is none',
    chunks('xyz\r\nhi\r\n0\r\n\r\n'),
    ['502', 'cut', '200', '502'],
    'a chunk that is not valid: "xyz"',
  ),
  form(
    'data that is longer than its size',
    chunks('2\r\nhi, more\r\n0\r\n\r\n'),
    ['502', 'cut', '200 hi', '502'],
    'a chunk that is not valid: ", more"',
  ),
  form('trailers', chunks('2\r\nhi\r\n0\r\nX: a\r\n\r\n'), ['200 hi', '200 hi', '200 hi', '200 hi']),
  form('trailers of LF', chunks('2\r\nhi\r\n0\nX: a\n\n'), ['200 hi', '200 hi', '200 hi', '200 hi']),
  form('a trailer with a space before its colon', chunks('2\r\nhi\r\n0\r\nX : a\r\n\r\n'), [
    '200 hi',
    '200 hi',
    '200 hi',
    '502',
  ]),
  form('a trailer without a colon', chunks('2\r\nhi\r\n0\r\nNothing\r\n\r\n'), [
    '200 hi',
    '200 hi',
    '200 hi',
    '502',
  ]),
  form('a length as trailer', chunks('2\r\nhi\r\n0\r\nContent-Length: 5\r\n\r\n'), [
    '200 hi',
    '200 hi',
    '200 hi',
    '200 hi',
  ]),
  closing('no last chunk', chunks('2\r\nhi\r\n'), ['cut', 'cut', '200 hi', 'cut']),
  closing('no empty line after the last chunk', chunks('2\r\nhi\r\n0\r\n'), [
    '200 hi',
    'cut',
    '200 hi',
    'cut',
  ]),
  closing('half of the last line end', chunks('2\r\nhi\r\n0\r\n\r'), ['200 hi', 'cut', '200 hi', 'cut']),
  closing('an end within trailers', chunks('2\r\nhi\r\n0\r\nX: a\r\n'), ['200 hi', 'cut', '200 hi', 'cut']),
  closing('an end within a size', chunks('2\r\nhi\r\n0'), ['cut', 'cut', '200 hi', 'cut']),
  // Without a body.
  form('204 with a length and a body', 'HTTP/1.1 204 No Content\r\nContent-Length: 2\r\n\r\nhi', [
    '204',
    '204',
    '204',
    '204',
  ]),
  form('204 with chunks', 'HTTP/1.1 204 No Content\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n', [
    '204',
    '204',
    '204',
    '204',
  ]),
  form('204 of LF', 'HTTP/1.1 204 No Content\nX: a\n\n', [
    '204 X: "a"',
    '204 X: "a"',
    '204 X: "a"',
    '204 X: "a"',
  ]),
  form('304 with a length', 'HTTP/1.1 304 Not Modified\r\nContent-Length: 2\r\n\r\n', [
    '304',
    '304',
    '304',
    '304',
  ]),
  form(
    '304 with a length and chunks',
    'HTTP/1.1 304 Not Modified\r\nContent-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n',
    ['304', '304', '304', '304'],
  ),
  form('100 before', `HTTP/1.1 100 Continue\r\n\r\n${sized('')}`, ['200 hi', '100', '200 hi', '200 hi']),
  form('100 of LF before', `HTTP/1.1 100 Continue\n\n${sized('')}`, ['200 hi', '100', '200 hi', '200 hi']),
  form('103 with a space before a colon', `HTTP/1.1 103 Early Hints\r\nY : a\r\n\r\n${sized('')}`, [
    '200 hi',
    '502',
    '200 hi',
    '502',
  ]),
  form('100 with a length', `HTTP/1.1 100 Continue\r\nContent-Length: 0\r\n\r\n${sized('')}`, [
    '200 hi',
    '100',
    '200 hi',
    '200 hi',
  ]),
  form(
    '101 that was not requested',
    'HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\n',
    ['502', '101', '200', '502'],
    'a status 101 that was not requested, for: "x"',
  ),
  closing(
    'an end within the head',
    'HTTP/1.1 200 OK\r\nContent-Le',
    ['502', '502', '502', '502'],
    'the connection ended within the head, after: "Content-Le"',
  ),
  closing(
    'no empty line after the head',
    'HTTP/1.1 200 OK\r\nX: a\r\n',
    ['502', '502', '502', '502'],
    'the connection ended within the head, after: "X: a"',
  ),
];
