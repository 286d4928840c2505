import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ProxyHeaderScan } from './proxy-header.ts';

const REQUEST = 'GET / HTTP/1.1\r\n\r\n';
const V1 = Buffer.from(`PROXY TCP4 192.0.2.1 198.51.100.1 1234 443\r\n${REQUEST}`);
const V2 = Buffer.concat([
  Buffer.from('\r\n\r\n\0\r\nQUIT\n', 'latin1'),
  // An IPv4 address, and 256 bytes of further fields.
  Buffer.from([0x21, 0x11, 0x01, 0x0c]),
  Buffer.alloc(268, '\n'),
  Buffer.from(REQUEST),
]);

test('what comes after the header is found, however the bytes are cut', () => {
  for (const [version, bytes] of [
    [1, V1],
    [2, V2],
  ] as const) {
    for (let size = 1; size <= bytes.length; size++) {
      const scan = new ProxyHeaderScan(version);
      const rest: Buffer[] = [];
      for (let at = 0; at < bytes.length; at += size) rest.push(scan.rest(bytes.subarray(at, at + size)));
      assert.equal(Buffer.concat(rest).toString(), REQUEST, `version ${version} in pieces of ${size}`);
    }
  }
});
