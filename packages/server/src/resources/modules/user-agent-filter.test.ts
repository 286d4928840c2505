import assert from 'node:assert/strict';
import { test } from 'node:test';
import { put, refusedBy } from './module.fixture.ts';
import { userAgentFilterModule as module } from './user-agent-filter.ts';

test('patterns are shown as they were given', async () => {
  assert.deepEqual(await put(module, {}), { enabled: true, allow: [], deny: [] });
  const body = { enabled: false, allow: ['(?i)curl/\\d+', 'curl'], deny: ['', '.*'] };
  assert.deepEqual(await put(module, body), body);
});

test('a pattern that is no regular expression, or none that is matched in linear time, is refused', async () => {
  for (const bad of ['(', '[a', '*', '(a)\\1', 'a(?=b)', '(a{100}){100}']) {
    await refusedBy(module, { allow: ['ok', bad] }, 'userAgentPatternInvalid', { field: '/allow/1' });
    await refusedBy(module, { deny: [bad] }, 'userAgentPatternInvalid', { field: '/deny/0' });
  }
});

test('patterns are limited in length and in number', async () => {
  const many = Array.from({ length: 51 }, (_, at) => `a${at}`);
  for (const field of ['allow', 'deny']) {
    const large = { [field]: ['a{1000}', 'b{1000}', 'c{1000}'] };
    await refusedBy(module, large, 'userAgentPatternsLarge', { field: `/${field}/2`, limit: 3000 });
    // Classes of Unicode cost more than single characters.
    const wide = { [field]: ['ok', '\\pL'.repeat(80)] };
    await refusedBy(module, wide, 'userAgentPatternsLarge', { field: `/${field}/1`, limit: 3000 });
    await put(module, { [field]: ['\\p{L}{1,40}', 'x{200}'] });
    await put(module, { [field]: many.slice(1) });
    await refusedBy(module, { [field]: many }, 'userAgentPatternCount', { field: `/${field}`, limit: 50 });
    await put(module, { [field]: ['x'.repeat(256)] });
    const long = { field: `/${field}/0`, limit: 256 };
    await refusedBy(module, { [field]: ['é'.repeat(129)] }, 'userAgentPatternTooLong', long);
    await refusedBy(module, { [field]: [1] }, 'valueInvalid', { field: `/${field}/0` });
    await refusedBy(module, { [field]: 'curl' }, 'valueInvalid', { field: `/${field}` });
  }
});
