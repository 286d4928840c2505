/** Tests launchd's side of the service, with fakes of its programs. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { InvalidInput } from '../address.ts';
import { chooseManager } from './choose-manager.ts';
import { FakePrograms, isWellFormed, skipXml, xpath } from './programs.fixture.ts';
import { propertyListText } from './property-list.ts';

const HOME = '/Users/ada & co';
const onMac = (programs: FakePrograms, uid: number) => ({
  ...{ platform: 'darwin' as const, uid, programs },
  environment: { HOME },
});
const JOB = { program: ['/opt/a <b>/node', '/x&y.js'], args: ['start', '--all'], owner: 501 };

test('a user has an agent of launchd, which a first start loads and a second one starts', async () => {
  const programs = new FakePrograms();
  const manager = chooseManager(onMac(programs, 501), false);
  assert.equal(manager.path, `${HOME}/Library/LaunchAgents/underpass.agent.plist`);
  assert.equal(manager.log, `${HOME}/Library/Logs/underpass-agent.log`);
  assert.equal(await manager.take(), 0);
  assert.deepEqual(programs.takeCalls(), [
    `plutil -lint -s ${manager.path}`,
    'launchctl enable gui/501/underpass.agent',
  ]);
  programs.failing = /^launchctl print /;
  assert.equal(await manager.start(), 0);
  assert.equal(await manager.end(), 0, 'nothing is loaded that could be stopped');
  const print = 'launchctl print gui/501/underpass.agent';
  assert.deepEqual(programs.takeCalls(), [print, `launchctl bootstrap gui/501 ${manager.path}`, print]);
  programs.failing = null;
  for (const ask of [manager.start, manager.status, manager.stop, manager.end]) assert.equal(await ask(), 0);
  const bootout = 'launchctl bootout gui/501/underpass.agent';
  const kickstart = 'launchctl kickstart gui/501/underpass.agent';
  assert.deepEqual(programs.takeCalls(), [print, kickstart, print, bootout, print, bootout]);
});

test('a property list that launchd refuses is not enabled', async () => {
  const programs = new FakePrograms();
  programs.failing = /^plutil/;
  assert.equal(await chooseManager(onMac(programs, 501), false).take(), 1);
  assert.equal(programs.takeCalls().length, 1);
});

test('root has a daemon of the machine, as the owner of the config file', () => {
  const programs = new FakePrograms({ 'id -un 501': 'ada\n' });
  const manager = chooseManager(onMac(programs, 0), false);
  assert.equal(manager.path, '/Library/LaunchDaemons/underpass.agent.plist');
  assert.equal(manager.log, '/Library/Logs/underpass-agent.log');
  assert.match(String(manager.definition(JOB)), /<key>UserName<\/key>\s+<string>ada<\/string>/);
  const own = chooseManager(onMac(programs, 0), true);
  assert.equal(own.path, `${HOME}/Library/LaunchAgents/underpass.agent.plist`);
  assert.doesNotMatch(String(own.definition(JOB)), /UserName/);
});

test('the property list is XML, and a path is one string of it', { skip: skipXml }, () => {
  const text = propertyListText({ command: [...JOB.program, ...JOB.args], user: null, log: '/l<o>g' });
  assert.ok(isWellFormed(text));
  const under = (key: string) => `/plist/dict/key[.='${key}']/following-sibling::*[1]`;
  assert.equal(xpath(text, `string(${under('Label')})`), 'underpass.agent');
  assert.equal(xpath(text, `string(${under('ProgramArguments')}/string[1])`), '/opt/a <b>/node');
  assert.equal(xpath(text, `count(${under('ProgramArguments')}/string)`), '4');
  assert.equal(xpath(text, `name(${under('RunAtLoad')})`), 'true');
  // A refusal is final: exit codes lead to no restart.
  assert.equal(xpath(text, `string(${under('KeepAlive')}/key)`), 'Crashed');
  for (const key of ['StandardOutPath', 'StandardErrorPath'])
    assert.equal(xpath(text, `string(${under(key)})`), '/l<o>g');
  assert.match(xpath(text, `string(${under('EnvironmentVariables')}/string)`), /^\/usr\/local\/bin:/);
  assert.equal(xpath(text, `string(${under('ProcessType')})`), 'Interactive');
});

test('a control character is refused, which no XML can hold', () => {
  const make = () => propertyListText({ command: ['a\n\0'], user: null, log: '/log' });
  assert.throws(make, InvalidInput);
});
