/** Compares what is accepted here with what libxml2 accepts (`xmllint`), for generated documents that are good, almost good or bad. */
import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { canonical } from '../saml/canonical.ts';
import { idpMetadata } from './idp-metadata.fixture.ts';
import { readXml } from './xml.ts';
import { bad, good } from './xml-documents.fixture.ts';

const limits = { tags: 1_000, namespaces: 1_000, attributes: 1_000 };
const isMissing = spawnSync('xmllint', ['--version']).error !== undefined;
const xmllint = ['--noout', '--nonet', '--nocatalogs'];
const perRun = 250;

/** Returns the indexes of documents in which libxml2 finds a fault of syntax or namespaces. */
function refusedByLibxml2(documents: readonly string[]): ReadonlySet<number> {
  const folder = mkdtempSync(join(tmpdir(), 'underpass-xml-'));
  try {
    const refused = new Set<number>();
    for (let from = 0; from < documents.length; from += perRun) {
      const names = documents.slice(from, from + perRun).map((xml, index) => {
        const name = `${from + index}.xml`;
        writeFileSync(join(folder, name), xml);
        return name;
      });
      const { stderr, error } = spawnSync('xmllint', [...xmllint, ...names], {
        cwd: folder,
        encoding: 'latin1',
      });
      assert.equal(error, undefined);
      for (const [, index] of stderr.matchAll(/^(\d+)\.xml:\d+: [^\n]*error : /gm))
        refused.add(Number(index));
      // An empty file has no line.
      for (const [, index] of stderr.matchAll(/^(\d+)\.xml : [^\n]*(?:empty|failed)/gm))
        refused.add(Number(index));
    }
    return refused;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const isAccepted = (xml: string): boolean => typeof readXml(xml, limits) !== 'string';

const odd = fc.oneof(
  fc.constantFrom(
    ...[
      '\u0085',
      '\u2028',
      '\u2029',
      '\ufffd',
      '\u00a0',
      '\ufeff',
      '\u200b',
      '\u007f',
      '\u{1f600}',
      '\r',
      '\r\n',
      '\t',
      'é',
    ],
    ...[
      '\ufffe',
      '\uffff',
      '\0',
      '\x01',
      '\v',
      '\f',
      '\x1f',
      ']]>',
      '--',
      '&amp;',
      '&#13;',
      '&#1;',
      '&#xFFFE;',
      '&#x85;',
      '&lt',
      '&',
      '<',
    ],
  ),
  fc.string({ unit: 'binary', maxLength: 2 }),
);
const goodText = fc
  .array(
    fc.oneof(
      fc.constantFrom(
        '\u0085',
        '\u2028',
        '\u2029',
        '\ufffd',
        '\u00a0',
        '\ufeff',
        '\u007f',
        '\u{1f600}',
        '\r\n',
        '\r',
        '\t',
        '>',
        ']]',
        '"',
        "'",
      ),
      fc.constantFrom('&amp;', '&lt;', '&#13;', '&#10;', '&#9;', '&#x85;', '&#x2028;', '&#xFFFD;', '&quot;'),
      fc.string({ unit: 'grapheme', maxLength: 4 }).map((text) => text.replace(/[<&\]\p{Cc}]/gu, '')),
    ),
    { maxLength: 6 },
  )
  .map((pieces) => pieces.join('').replaceAll(']]>', ''));
const goodName = fc.constantFrom('a', 'b-1', '_c', 'é', 'x.y', 'saml:Assertion', 'ds:Signature', 'saml:é');
const goodAttribute = fc.tuple(
  fc.constantFrom('ID', 'b', 'saml:c', 'ds:d', 'xml:lang', 'é'),
  goodText.map((text) => text.replaceAll('"', '')),
);
const goodDocument: fc.Arbitrary<string> = fc
  .letrec<{ element: string }>((tie) => ({
    element: fc
      .tuple(
        goodName,
        fc.uniqueArray(goodAttribute, { maxLength: 3, selector: ([name]) => name }),
        fc.array(fc.oneof({ depthSize: 'small' }, goodText, tie('element')), { maxLength: 4 }),
        fc.constantFrom('', ' ', '\n', '\t'),
      )
      .map(([name, attributes, content, space]) => {
        const written = attributes.map(([key, value]) => ` ${key}${space}=${space}"${value}"`).join('');
        return content.length === 0
          ? `<${name}${written}${space}/>`
          : `<${name}${written}${space}>${content.join('').replaceAll(']]>', '')}</${name}${space}>`;
      }),
  }))
  .element.map((xml) => `<r xmlns:saml="urn:a" xmlns:ds="urn:b" xmlns="urn:c">${xml}</r>`);

const whole = fc.oneof(
  goodDocument,
  fc.constantFrom(
    idpMetadata(),
    '<?xml version="1.0" encoding="UTF-8"?>\n<a xmlns:p="u" p:b="1" c=\'2\'>x<p:d/><!-- y --><?z w?></a>\n',
  ),
);
const piece = fc.constantFrom(
  ...[
    '<a>',
    '</a>',
    '<a/>',
    '<p:a/>',
    ' b="1"',
    " b='<'",
    ' b=1',
    ' b',
    '"',
    "'",
    '=',
    '>',
    '/',
    '/>',
    '<',
    '</',
    ' ',
    '\n',
    ':',
    'xmlns',
    ' xmlns:p=""',
  ],
  ...[
    ' xmlns:q="u"',
    ' xmlns:xml="u"',
    '<!-- x -->',
    '<!-- -- -->',
    '<?p q?>',
    '<?xml version="1.0"?>',
    '<![CDATA[x]]>',
    ']]>',
    '&x;',
    '&#0;',
    '-',
    '1',
  ],
);
const change = fc.record({
  at: fc.double({ min: 0, max: 1, noNaN: true }),
  removed: fc.oneof({ weight: 3, arbitrary: fc.constant(0) }, fc.nat({ max: 6 })),
  added: fc.oneof(piece, odd, fc.constant('')),
});
const mutated = fc.tuple(whole, fc.array(change, { minLength: 1, maxLength: 2 })).map(([xml, changes]) =>
  changes.reduce((text, { at, removed, added }) => {
    const index = Math.floor(at * text.length);
    return text.slice(0, index) + added + text.slice(index + removed);
  }, xml),
);

describe('what libxml2 says of documents', {
  skip: isMissing && 'xmllint of libxml2-utils is not installed',
}, () => {
  const seed = 24;

  test('nothing is accepted here that libxml2 refuses', () => {
    // A lone surrogate cannot be written into a file.
    const documents = fc.sample(mutated, { seed, numRuns: 8_000 }).filter((xml) => xml.isWellFormed());
    const refused = refusedByLibxml2(documents);
    const accepted = documents.filter(isAccepted).length;
    assert.ok(
      refused.size > 1_000 && accepted > 500,
      `${refused.size} refused there, ${accepted} accepted here`,
    );
    const wrong = documents.filter((xml, index) => refused.has(index) && isAccepted(xml));
    assert.deepEqual(wrong.slice(0, 5), [], `${wrong.length} of ${documents.length}`);
  });

  test('the small documents are judged alike', () => {
    assert.deepEqual(
      [...refusedByLibxml2(good)].map((index) => good[index]),
      [],
    );
    // In a file, the first U+FEFF is a byte order mark, and a zero ends the text.
    const documents = bad.filter((xml) => xml.isWellFormed() && !/^(?:<!DOCTYPE|\ufeff)|\0$/.test(xml));
    const refused = refusedByLibxml2(documents);
    assert.deepEqual(
      documents.filter((_, index) => !refused.has(index)),
      [],
    );
  });

  test('good documents are accepted, whatever characters of XML they have', () => {
    const documents = fc.sample(goodDocument, { seed, numRuns: 2_000 });
    const refused = refusedByLibxml2(documents);
    assert.deepEqual(
      documents.filter((_, index) => refused.has(index)),
      [],
    );
    const wrong = documents.filter((xml) => !isAccepted(xml));
    assert.deepEqual(wrong.slice(0, 5), [], `${wrong.length} of ${documents.length}`);
  });

  test('what is accepted is read as libxml2 reads it: both have the same canonical form', () => {
    const folder = mkdtempSync(join(tmpdir(), 'underpass-xml-'));
    try {
      for (const xml of fc.sample(goodDocument, { seed, numRuns: 300 })) {
        const root = readXml(xml, limits);
        assert.ok(typeof root !== 'string', xml);
        writeFileSync(join(folder, 'a.xml'), xml);
        const expected = execFileSync('xmllint', ['--exc-c14n', '--nonet', 'a.xml'], {
          cwd: folder,
          encoding: 'utf8',
        });
        assert.equal(canonical(root).toString(), expected, xml);
      }
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
});
