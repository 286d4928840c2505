import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { propertyRuns } from '../../../../../test/harness/property-runs.ts';
import { contains, isCidrFault, parseCidr } from './cidr.ts';
import { formatIpAddress, type IpAddress, parseIpAddress } from './ip-address.ts';
import { IpRuleSet } from './ip-rule-set.ts';
import type { IpRule } from './ip-rules.ts';

/** Few different bytes, so that ranges and addresses overlap. */
const byte = fc.constantFrom(0, 1, 127, 128, 192, 255);
const bytes = fc.oneof(
  fc.array(byte, { minLength: 4, maxLength: 4 }),
  fc.array(byte, { minLength: 16, maxLength: 16 }),
);
const address = bytes.map((value) => parseIpAddress(formatIpAddress(value)) as IpAddress);
const rule = fc
  .tuple(bytes, fc.nat(128), fc.constantFrom('allow' as const, 'deny' as const))
  .map(([value, length, action]): IpRule | null => {
    const prefix = Math.min(length, value.length * 8);
    const text = `${formatIpAddress(value)}/${prefix}`;
    const parsed = parseCidr(text);
    if (!isCidrFault(parsed)) return { action, cidr: parsed };
    if (parsed.fault !== 'host-bits') return null;
    const cidr = parseCidr(parsed.suggestion);
    return isCidrFault(cidr) ? null : { action, cidr };
  })
  .filter((it) => it !== null);

test('says of each address what a walk over all rules says, also after some were taken back', () => {
  const rules = fc.array(fc.tuple(rule, fc.boolean()), { maxLength: 30 });
  fc.assert(
    fc.property(rules, fc.array(address, { minLength: 1, maxLength: 10 }), (given, addresses) => {
      const set = new IpRuleSet();
      for (const [one] of given) set.add(one);
      for (const [one, isRemoved] of given) if (isRemoved) set.remove(one);
      const kept = given.filter(([, isRemoved]) => !isRemoved).map(([one]) => one);
      assert.equal(set.size, kept.length);
      for (const one of addresses) {
        const found = kept.filter(({ cidr }) => contains(cidr, one));
        assert.deepEqual(set.match(one), {
          allow: found.some(({ action }) => action === 'allow'),
          deny: found.some(({ action }) => action === 'deny'),
        });
      }
    }),
    { numRuns: propertyRuns(500) },
  );
});
