import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Derived } from './derived.ts';

interface Values {
  readonly one: unknown;
}

type Read = (key: string) => unknown;

function setUp(values: Record<string, unknown>) {
  const known = new Map<unknown, unknown>(Object.entries(values));
  const derived = new Derived<Values>({ read: (_, of) => known.get(of) });
  const made: string[] = [];
  const change = (key: string, value: unknown): void => {
    known.set(key, value);
    derived.touch('one', key);
  };
  const value = <Value>(key: string, make: (read: Read) => Value): Value =>
    derived.value('one', key, (read) => {
      made.push(key);
      return make((of) => read('one', of));
    }) as Value;
  return { derived, made, change, value };
}

test('a value is made once, and again when something that it read is another', () => {
  const { made, change, value } = setUp({ a: 1, b: 2, c: 3 });
  const sum = (): number => value('sum', (read) => Number(read('a')) + Number(read('b')));
  assert.deepEqual([sum(), sum()], [3, 3]);
  change('c', 30);
  assert.equal(sum(), 3);
  assert.deepEqual(made, ['sum']);
  change('b', 20);
  assert.equal(sum(), 21);
  assert.deepEqual(made, ['sum', 'sum']);
});

test('what was not there is read, too', () => {
  const { change, value } = setUp({});
  const found = (): unknown => value('found', (read) => read('later') ?? 'nothing');
  assert.equal(found(), 'nothing');
  change('later', 'something');
  assert.equal(found(), 'something');
});

test('values are made from values; one that came out the same makes no other anew', () => {
  const { made, change, value } = setUp({ a: 1 });
  const parity = (): number => value('parity', (read) => Number(read('a')) % 2);
  const text = (): string => value('text', (read) => (read('parity') === 0 ? 'even' : 'odd'));
  parity();
  assert.equal(text(), 'odd');
  change('a', 3);
  assert.equal(text(), 'odd');
  assert.deepEqual(made, ['parity', 'text', 'parity']);
  change('a', 4);
  assert.equal(text(), 'even');
});

test('reads that a value no longer makes no longer concern it', () => {
  const { derived, made, change, value } = setUp({ which: 'a', a: 1, b: 2 });
  const chosen = (): unknown => value('chosen', (read) => read(String(read('which'))));
  assert.equal(chosen(), 1);
  change('which', 'b');
  assert.equal(chosen(), 2);
  change('a', 10);
  assert.equal(chosen(), 2);
  assert.deepEqual(made, ['chosen', 'chosen']);
  assert.equal(derived.size, 3);
});

test('what a failed attempt left is as before, and the next one is a new one', () => {
  const { change, value } = setUp({ a: 1 });
  const strict = (): number =>
    value('strict', (read) => {
      if (read('a') === 2) throw new Error('two');
      return Number(read('a'));
    });
  assert.equal(strict(), 1);
  change('a', 2);
  assert.throws(strict, /two/);
  assert.throws(strict, /two/);
  change('a', 3);
  assert.equal(strict(), 3);
});

test('what is forgotten is made again when it is asked for', () => {
  const { derived, made, value } = setUp({ a: 1 });
  const one = (): unknown => value('one', (read) => read('a'));
  const two = (): unknown => value('two', (read) => read('one'));
  one();
  two();
  derived.forget('one', 'one');
  one();
  two();
  assert.deepEqual(made, ['one', 'two', 'one']);
});

test('a part is made anew for each reader, and is removed with the last of them', () => {
  const { derived, made, change, value } = setUp({ which: 'part', a: 1 });
  const read = (): unknown =>
    value('whole', (from) => {
      derived.part('one', 'part', (below) => {
        made.push('part');
        return below('one', 'a');
      });
      return from(String(from('which')));
    });
  assert.equal(read(), 1);
  change('a', 2);
  assert.equal(read(), 2);
  assert.deepEqual(made, ['whole', 'part', 'part', 'whole']);
  change('which', 'a');
  assert.equal(read(), 2);
  assert.equal(derived.touch('one', 'part'), false);
});

test('a part is disposed of when another one takes its place, and when nobody reads it any more', () => {
  const known = new Map<unknown, unknown>([
    ['a', 1],
    ['which', 'part'],
  ]);
  const derived = new Derived<Values>({ read: (_, of) => known.get(of) });
  const disposed: unknown[] = [];
  const whole = (key: string): unknown =>
    derived.value('one', key, (read) => {
      derived.part(
        'one',
        'part',
        (below) => Number(below('one', 'a')) * 10,
        (value) => disposed.push(value),
      );
      return read('one', String(read('one', 'which')));
    });
  const change = (key: string, value: unknown): void => {
    known.set(key, value);
    derived.touch('one', key);
  };
  assert.deepEqual([whole('one'), whole('other'), disposed], [10, 10, []]);
  change('a', 2);
  assert.deepEqual([whole('one'), whole('other'), disposed], [20, 20, [10]]);
  derived.forget('one', 'one');
  assert.deepEqual(disposed, [10]);
  change('which', 'a');
  assert.deepEqual([whole('other'), disposed], [2, [10, 20]]);
});

test('values of two kinds with the same name are apart', () => {
  const derived = new Derived<{ readonly text: string; readonly length: number }>({ read: () => 'abc' });
  const length = (): number => derived.value('length', 'a', (read) => read('text', 'a').length);
  assert.equal(length(), 3);
  assert.deepEqual([derived.touch('length', 'a'), derived.touch('text', 'a')], [false, true]);
});

test('a part that a new value has read stays when its only other reader lets it go', () => {
  const { derived, change, value } = setUp({ usesPart: true });
  const disposed: unknown[] = [];
  const part = (): void =>
    derived.part(
      'one',
      'part',
      () => 'made',
      (gone) => disposed.push(gone),
    );
  const old = (): unknown =>
    value('old', (read) => {
      part();
      return read('usesPart') === true ? read('part') : 'none';
    });
  old();
  change('usesPart', false);
  const both = value('new', (read) => {
    part();
    return [read('part'), read('old')];
  });
  assert.deepEqual([both, disposed], [['made', 'none'], []]);
});

test('a failed attempt lets go of the parts that it alone has read', () => {
  const { derived, value } = setUp({});
  const disposed: unknown[] = [];
  const failing = (): unknown =>
    value('failing', (read) => {
      derived.part(
        'one',
        'part',
        () => 'made',
        (gone) => disposed.push(gone),
      );
      throw new Error(`after ${read('part')}`);
    });
  assert.throws(failing, /after made/);
  assert.deepEqual([derived.touch('one', 'part'), disposed], [false, ['made']]);
});
