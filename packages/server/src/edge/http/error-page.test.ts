import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Reply } from '../sites/site.ts';
import { errorResponse } from './error-page.ts';
import { respondReply } from './respond.ts';

const answer = {
  name: 'hostMismatch',
  values: { host: `<script>alert("x")</script>'&`, servername: 'app.example.com' },
  prefix: 'ERR_TEST_',
  codeHeader: 'underpass-error-code',
  date: 'Sun, 06 Nov 1994 08:49:37 GMT',
  html: true,
  headOnly: false,
  close: true,
} as const;

test('an HTML page shows what the visitor sent only escaped', () => {
  const text = errorResponse(answer).bytes.toString();
  assert.doesNotMatch(text, /<script/);
  assert.match(text, /&lt;script&gt;alert\(&quot;x&quot;\)&lt;\/script&gt;&#39;&amp;/);
  assert.match(text, /\r\nunderpass-error-code: ERR_TEST_60013\r\n/);
});

test('the length of a page counts bytes, and HEAD gets the head alone', () => {
  const values = { host: 'ä'.repeat(10), servername: 'app.example.com' };
  const text = errorResponse({ ...answer, values }).bytes;
  const end = text.indexOf('\r\n\r\n') + 4;
  assert.match(text.toString(), new RegExp(`\r\nContent-Length: ${text.length - end}\r\n`));
  const head = errorResponse({ ...answer, values, headOnly: true }).bytes;
  assert.equal(head.toString(), text.toString('utf8', 0, end));
});

test('a configured header cannot split the response', () => {
  const reply: Reply = {
    kind: 'reply',
    status: 200,
    headers: [
      ['x-a', 'b\u010d\u010ax-evil: 1'],
      ['edge-error', 'ERR_TEST_1'],
    ],
    body: Buffer.from('hi'),
  };
  const common = { date: answer.date, errorCodeHeader: 'edge-error', errorPrefix: 'ERR_TEST_' };
  const bytes = respondReply(reply, null, { isHead: false, close: false }, common);
  assert.equal(bytes.toString('latin1').split('\r\n').length, 6);
  assert.doesNotMatch(bytes.toString(), /edge-error/, 'nor pass for one of the edge');
});
