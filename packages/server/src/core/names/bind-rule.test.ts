import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import {
  type BindRule,
  type BindRuleFault,
  isBindRuleFault,
  parseBindRule,
  permitsHostname,
  permitsLabels,
} from './bind-rule.ts';
import { covers, type Hostname, type HostPattern, isFault, parseHostPattern } from './hostname.ts';

function rules(...texts: string[]): BindRule[] {
  return texts.map((text) => {
    const rule = parseBindRule(text);
    assert.ok(!isBindRuleFault(rule), `${text} is a rule`);
    return rule;
  });
}

function pattern(text: string): HostPattern {
  const parsed = parseHostPattern(text);
  assert.ok(!isFault(parsed), `${text} is a name`);
  return parsed;
}

function faultOf(text: string): BindRuleFault['fault'] | null {
  const rule = parseBindRule(text);
  return isBindRuleFault(rule) ? rule.fault : null;
}

const label = fc.stringMatching(/^[a-z]([a-z0-9]{0,8}[a-z0-9])?$/);
const hostname = fc
  .array(label, { minLength: 2, maxLength: 5 })
  .map((labels) => labels.join('.') as Hostname);
const labelText = fc.stringMatching(/^[a-zA-Z0-9_.:/-]{1,12}$/);

describe('bind rules', () => {
  test('a rule is the same in every spelling of its name', () => {
    for (const text of ['bind:example.com', 'bind:EXAMPLE.com', 'bind:example.com.', 'bind:EXAMPLE.COM.']) {
      assert.deepEqual(parseBindRule(text), { kind: 'name', hostname: 'example.com' });
    }
    assert.deepEqual(parseBindRule('bind:*.Example.com.'), { kind: 'suffix', suffix: '.example.com' });
    assert.deepEqual(parseBindRule('bind:*.COM'), { kind: 'suffix', suffix: '.com' });
  });

  test('every other shape of the specification is read', () => {
    assert.deepEqual(parseBindRule('*'), { kind: 'any' });
    assert.deepEqual(parseBindRule('bind:1.tcp.Example.com:20000'), {
      kind: 'address',
      hostname: '1.tcp.example.com',
      port: 20000,
    });
    assert.deepEqual(parseBindRule('bind:app=web'), { kind: 'label', key: 'app', value: 'web' });
    assert.deepEqual(parseBindRule('bind:app=*'), { kind: 'label', key: 'app', value: null });
    assert.deepEqual(parseBindRule('bind:*=web'), { kind: 'label', key: null, value: 'web' });
    assert.deepEqual(parseBindRule('bind:*=*'), { kind: 'label', key: null, value: null });
  });

  test('what is no rule is refused', () => {
    const wrong = [
      ...[
        '',
        'bind',
        'bind:',
        'bind:*',
        'bind:*.',
        'bind:*.*',
        'bind:*a.example.com',
        'bind:a.*.example.com',
      ],
      ...['bind:**.example.com', 'bind:a=b=c', 'bind:=', 'bind:=b', 'bind:a=', 'bind:a*=b', 'bind:a=b*'],
      ...['bind:example.com:0', 'bind:example.com:65536', 'bind:example.com:', 'bind:example.com:0443'],
      ...[
        'bind:*.example.com:443',
        'bind:*:443',
        'bind:10.0.0.1',
        'bind:-a.example.com',
        'bind: example.com',
      ],
      ...['example.com', '**', 'bind:https://example.com'],
    ];
    for (const text of wrong) assert.equal(faultOf(text), 'syntax', text);
  });

  test('a rule type other than bind is refused as such', () => {
    for (const text of ['connect:example.com', ' bind:example.com', 'BIND:example.com', ':example.com']) {
      assert.equal(faultOf(text), 'type', text);
    }
  });

  test('no rules and the rule * permit everything', () => {
    for (const all of [[], rules('*'), rules('bind:other.example.com', '*')]) {
      assert.ok(permitsHostname(all, pattern('example.com')));
      assert.ok(permitsLabels(all, new Map([['a', 'b']])));
    }
  });

  test('a name rule permits that name only', () => {
    const only = rules('bind:example.com');
    assert.ok(permitsHostname(only, pattern('EXAMPLE.com.')));
    for (const other of ['a.example.com', '*.example.com', 'evil-example.com', 'example.com.attacker.net']) {
      assert.ok(!permitsHostname(only, pattern(other)), other);
    }
  });

  test('a wildcard rule permits what is below, at any depth, and not the name itself', () => {
    const below = rules('bind:*.example.com');
    for (const inside of ['a.example.com', 'a.b.example.com', '*.example.com', '*.a.example.com']) {
      assert.ok(permitsHostname(below, pattern(inside)), inside);
    }
    for (const outside of ['example.com', 'xexample.com', 'a.xexample.com', 'example.com.net', 'a.com']) {
      assert.ok(!permitsHostname(below, pattern(outside)), outside);
    }
    assert.ok(permitsHostname(rules('bind:*.com'), pattern('example.com')));
    assert.ok(!permitsHostname(rules('bind:*.com'), pattern('example.org')));
  });

  test('every label of a tunnel needs a rule', () => {
    const some = rules('bind:app=web', 'bind:team=*', 'bind:*=shared');
    assert.ok(permitsLabels(some, new Map([['app', 'web']])));
    assert.ok(
      permitsLabels(
        some,
        new Map([
          ['team', 'x'],
          ['zone', 'shared'],
        ]),
      ),
    );
    assert.ok(
      !permitsLabels(
        some,
        new Map([
          ['app', 'web'],
          ['other', 'x'],
        ]),
      ),
    );
    assert.ok(!permitsLabels(some, new Map([['app', 'api']])));
    assert.ok(!permitsLabels(some, new Map()));
  });

  test('label and address rules never permit a name, name rules never a label', () => {
    fc.assert(
      fc.property(hostname, labelText, labelText, (name, key, value) => {
        const forNames = rules(`bind:${name}`, `bind:*.${name}`);
        assert.ok(!permitsLabels(forNames, new Map([[key, value]])));
        assert.ok(!permitsLabels(forNames, new Map([[name, name]])));
        assert.ok(!permitsHostname(rules(`bind:${key}=${value}`, 'bind:*=*', `bind:${name}:443`), name));
      }),
    );
  });

  test('a wildcard rule agrees with what the wildcard covers', () => {
    fc.assert(
      fc.property(hostname, hostname, fc.boolean(), (base, other, nested) => {
        const name = (nested ? `${other}.${base}` : other) as Hostname;
        const wildcard = `*.${base}` as HostPattern;
        assert.equal(permitsHostname(rules(`bind:${wildcard}`), name), covers(wildcard, name));
      }),
    );
  });

  test('a permitted wildcard permits every name below it', () => {
    fc.assert(
      fc.property(hostname, label, hostname, (base, first, rule) => {
        const all = rules(`bind:*.${rule}`, `bind:${base}`, `bind:*.${base}`);
        const wildcard = `*.${base}` as HostPattern;
        if (permitsHostname(all, wildcard)) {
          assert.ok(permitsHostname(all, `${first}.${base}` as HostPattern));
        }
      }),
    );
  });

  test('any text is a rule or a fault, never an exception', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.string().map((tail) => `bind:${tail}`),
        ),
        (text) => {
          const rule = parseBindRule(text);
          assert.ok(isBindRuleFault(rule) || typeof rule.kind === 'string');
        },
      ),
    );
  });
});
