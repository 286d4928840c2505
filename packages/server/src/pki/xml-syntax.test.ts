import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readXml } from './xml.ts';
import { bad, good } from './xml-documents.fixture.ts';
import { isWellFormed } from './xml-syntax.ts';

const limits = { tags: 1_000, namespaces: 100, attributes: 1_000 };

test('what XML 1.0 allows is accepted, and reaches the parser as it is', () => {
  for (const xml of good) {
    assert.equal(isWellFormed(xml), true, JSON.stringify(xml));
    // The parser knows no names beyond U+FFFF, and what it does not know it refuses.
    if (!xml.includes('\u{10000}')) assert.equal(typeof readXml(xml, limits), 'object', JSON.stringify(xml));
  }
  const text = '\u0085\u2028\u2029\ufffd\u00a0\ufeff';
  const read = readXml(`<a b="${text}">${text}\r\n\r</a>`, limits);
  assert.ok(typeof read !== 'string');
  assert.deepEqual([read.getAttribute('b'), read.textContent], [text, `${text}\n\n`]);
});

test('what XML 1.0 does not allow is refused before the parser sees it', () => {
  for (const xml of bad) {
    assert.equal(isWellFormed(xml), false, JSON.stringify(xml));
    assert.equal(typeof readXml(xml, limits), 'string', JSON.stringify(xml));
  }
});

test('S6: a long text of any kind is judged in linear time', () => {
  const size = 128 * 1024;
  const longest = (piece: string) => piece.repeat(Math.floor(size / piece.length));
  for (const xml of [
    ...[longest('<'), longest('<a '), `<a ${longest(' ')}`, `<a b="${longest('&')}"/>`, longest('&#1')],
    ...[`<a${longest(' b=""')}/>`, `<!--${longest('- ')}`, `<a>${longest(']]')}`, `<?p ${longest('?')}`],
    ...[`<${longest('n')}/>`, `<a>${longest('<b/>')}</a>`, `<a ${longest('n')}=`, `<?xml ${longest(' ')}`],
    ...[`<a>${longest('<![CDATA[]]')}`, `<a b${longest(' ')}`, `<a b="1"${longest('\t')}c`],
  ])
    assert.equal(typeof isWellFormed(xml), 'boolean');
});
