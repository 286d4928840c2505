import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { StoredDocument } from '../documents/index.ts';
import { gone, put, ruleDocument } from '../edge/documents.fixture.ts';
import { restrictionDocument } from './ip-restrictions.fixture.ts';
import { IpRestrictions } from './ip-restrictions.ts';

const home = ruleDocument('ipr_1', 'ipp_1', 'allow', '10.0.0.0/8');
const api = { type: 'api', enforced: true, ip_policy_ids: ['ipp_1'] } as const;

function knowing(...documents: StoredDocument<'ip_restriction' | 'ip_policy_rule'>[]): IpRestrictions {
  const restrictions = new IpRestrictions();
  restrictions.reset(documents);
  return restrictions;
}

test('an account without a restriction lets everybody in, one with rules whom they allow', () => {
  const restrictions = knowing(home, restrictionDocument('ipx_1', api));
  assert.equal(restrictions.judge('ac_1', 'api', '10.1.2.3'), 'admitted');
  assert.equal(restrictions.judge('ac_1', 'api', '11.0.0.1'), 'refused');
  assert.equal(restrictions.judge('ac_1', 'api', '::1'), 'refused');
  assert.equal(restrictions.judge('ac_2', 'api', '11.0.0.1'), 'admitted');
});

test('P1: an IPv4-mapped address is the IPv4 address, and what is no address is nobody', () => {
  const restrictions = knowing(home, restrictionDocument('ipx_1', api));
  assert.equal(restrictions.judge('ac_1', 'api', '::ffff:10.1.2.3'), 'admitted');
  assert.equal(restrictions.judge('ac_1', 'api', '::10.1.2.3'), 'refused');
  for (const nobody of ['', 'unknown', '10.1.2.3:443', '010.1.2.3'])
    assert.equal(restrictions.judge('ac_1', 'api', nobody), 'refused', nobody);
});

test('P2: without rules, or with deny rules alone, nobody is let in; all policies count together', () => {
  const both = { ...api, ip_policy_ids: ['ipp_1', 'ipp_2'] };
  const deny = ruleDocument('ipr_2', 'ipp_2', 'deny', '10.0.0.1/32');
  assert.equal(knowing(restrictionDocument('ipx_1', api)).judge('ac_1', 'api', '10.0.0.1'), 'refused');
  assert.equal(knowing(deny, restrictionDocument('ipx_1', both)).judge('ac_1', 'api', '10.0.0.2'), 'refused');
  const restrictions = knowing(deny, home, restrictionDocument('ipx_1', both));
  assert.equal(restrictions.judge('ac_1', 'api', '10.0.0.1'), 'refused');
  assert.equal(restrictions.judge('ac_1', 'api', '10.0.0.2'), 'admitted');
});

test('a restriction that is not enforced refuses no visitor, but logs those that it would', () => {
  const restrictions = knowing(home, restrictionDocument('ipx_1', { ...api, enforced: false }));
  assert.equal(restrictions.judge('ac_1', 'api', '10.0.0.1'), 'admitted');
  assert.equal(restrictions.judge('ac_1', 'api', '11.0.0.1'), 'unenforced');
});

test('each type restricts only what it names', () => {
  const agent = restrictionDocument('ipx_1', { ...api, type: 'agent' });
  const dashboard = restrictionDocument('ipx_2', { ...api, type: 'dashboard' });
  const restrictions = knowing(home, agent, dashboard);
  assert.equal(restrictions.judge('ac_1', 'api', '11.0.0.1'), 'admitted');
  assert.equal(restrictions.judge('ac_1', 'agent', '11.0.0.1'), 'refused');
});

test('each type is in force in whatever order they were made', () => {
  const types = ['agent', 'dashboard', 'api'] as const;
  for (const first of types) {
    const made = [first, ...types.filter((type) => type !== first)];
    const restrictions = knowing(
      home,
      ...made.map((type, index) => restrictionDocument(`ipx_${index}`, { ...api, type })),
    );
    for (const type of ['api', 'agent'] as const)
      assert.equal(restrictions.judge('ac_1', type, '11.0.0.1'), 'refused', `${type} of ${made.join()}`);
  }
});

test('P4: changes of restrictions and rules apply at once, and listeners are notified', () => {
  const restriction = restrictionDocument('ipx_1', api);
  const restrictions = knowing(restriction);
  let told = 0;
  restrictions.onChange(() => {
    told += 1;
  });
  const says = (): string => restrictions.judge('ac_1', 'api', '10.0.0.1');
  assert.equal(says(), 'refused');
  restrictions.apply([put(home)]);
  assert.equal(says(), 'admitted');
  restrictions.apply([put(ruleDocument('ipr_1', 'ipp_1', 'allow', '11.0.0.0/8'))]);
  assert.equal(says(), 'refused');
  restrictions.apply([put(restrictionDocument('ipx_1', { ...api, enforced: false }))]);
  assert.equal(says(), 'unenforced');
  restrictions.apply([gone(home), put(restriction)]);
  assert.equal(says(), 'refused');
  restrictions.apply([gone(restriction)]);
  assert.equal(says(), 'admitted');
  assert.equal(told, 5);
});

test('a rule that is deleted allows nothing any more, and denies nothing', () => {
  const both = { ...api, ip_policy_ids: ['ipp_1', 'ipp_2'] };
  const deny = ruleDocument('ipr_2', 'ipp_2', 'deny', '10.0.0.1/32');
  const other = ruleDocument('ipr_3', 'ipp_2', 'allow', '12.0.0.0/8');
  const restrictions = knowing(home, deny, other, restrictionDocument('ipx_1', both));
  const judged = () =>
    ['10.0.0.1', '10.0.0.2', '12.0.0.1'].map((ip) => restrictions.judge('ac_1', 'api', ip));
  assert.deepEqual(judged(), ['refused', 'admitted', 'admitted']);
  restrictions.apply([gone(deny)]);
  assert.deepEqual(judged(), ['admitted', 'admitted', 'admitted']);
  restrictions.apply([gone(home)]);
  assert.deepEqual(judged(), ['refused', 'refused', 'admitted']);
  restrictions.apply([gone(other)]);
  assert.deepEqual(judged(), ['refused', 'refused', 'refused']);
});

test('a whole list takes the place of all that was known', () => {
  const agent = restrictionDocument('ipx_2', { ...api, type: 'agent' }, 'ac_2');
  const restrictions = knowing(home, restrictionDocument('ipx_1', api), agent);
  restrictions.reset([agent]);
  assert.equal(restrictions.judge('ac_1', 'api', '11.0.0.1'), 'admitted', 'no restriction is left');
  assert.equal(restrictions.judge('ac_2', 'agent', '10.0.0.1'), 'refused', 'no rule is left');
  restrictions.apply([gone(agent)]);
  assert.equal(restrictions.judge('ac_2', 'agent', '10.0.0.1'), 'admitted');
});

test('a successor stays in force when its predecessor is found to be gone only later', () => {
  const [old, next] = [restrictionDocument('ipx_1', api), restrictionDocument('ipx_2', api)];
  const restrictions = knowing(old);
  restrictions.apply([put(next), gone(old)]);
  assert.equal(restrictions.judge('ac_1', 'api', '10.0.0.1'), 'refused');
});

test('a list with a rule that cannot be read leaves in force what was', () => {
  const restriction = restrictionDocument('ipx_1', api);
  const restrictions = knowing(home, restriction);
  const broken = ruleDocument('ipr_9', 'ipp_9', 'allow', 'everywhere');
  assert.throws(() => restrictions.reset([restriction, broken]));
  assert.equal(restrictions.judge('ac_1', 'api', '10.0.0.1'), 'admitted');
  assert.equal(restrictions.judge('ac_1', 'api', '11.0.0.1'), 'refused');
});

test('the console has a restriction of its own, and that of the API while it has none that is enforced', () => {
  const office = ruleDocument('ipr_2', 'ipp_2', 'allow', '192.0.2.0/24');
  const own = { type: 'dashboard', enforced: true, ip_policy_ids: ['ipp_2'] } as const;
  const apiOnly = knowing(home, restrictionDocument('ipx_1', api));
  assert.equal(apiOnly.judgeConsole('ac_1', '10.0.0.1'), 'admitted');
  assert.equal(apiOnly.judgeConsole('ac_1', '192.0.2.1'), 'refused');
  const both = knowing(home, office, restrictionDocument('ipx_1', api), restrictionDocument('ipx_2', own));
  assert.equal(both.judgeConsole('ac_1', '192.0.2.1'), 'admitted');
  assert.equal(both.judgeConsole('ac_1', '10.0.0.1'), 'refused');
  assert.equal(both.judge('ac_1', 'api', '10.0.0.1'), 'admitted');
  const logged = { ...own, enforced: false };
  const trial = knowing(
    home,
    office,
    restrictionDocument('ipx_1', api),
    restrictionDocument('ipx_2', logged),
  );
  assert.equal(trial.judgeConsole('ac_1', '10.0.0.1'), 'unenforced');
  assert.equal(trial.judgeConsole('ac_1', '192.0.2.1'), 'refused');
  assert.equal(trial.judgeConsole('ac_2', '192.0.2.1'), 'admitted');
});
