/** Tests the Task Scheduler's side of the service, with fakes of its programs. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { InvalidInput } from '../address.ts';
import { chooseManager } from './choose-manager.ts';
import { FakePrograms, isWellFormed, skipXml, xpath } from './programs.fixture.ts';
import { taskText } from './task-text.ts';

const SID = 'S-1-5-21-1-2-3-1001';
const groups = (level: string) => `"Mandatory Label\\Level","Label","S-1-16-${level}",""\r\n`;

function onWindows(level: '8192' | '12288') {
  const programs = new FakePrograms({
    'whoami /groups /fo csv /nh': groups(level),
    'whoami /user /fo csv /nh': `"pc\\ada b","${SID}"\r\n`,
  });
  const environment = {
    APPDATA: 'C:\\Users\\ada b\\AppData\\Roaming',
    LOCALAPPDATA: 'C:\\Users\\ada b\\AppData\\Local',
    ProgramData: 'C:\\ProgramData',
    USERNAME: 'ada b',
  };
  return { system: { platform: 'win32' as const, uid: undefined, environment, programs }, programs };
}

const JOB = {
  program: ['C:\\Program Files\\Underpass & co\\underpass.exe'],
  args: ['start', '--config', 'C:\\Users\\ada b\\a.yaml', '--all'],
  owner: 0,
};
const at = (...names: readonly string[]) => names.map((name) => `/*[local-name()='${name}']`).join('');

test('a user has a task from each login, with the rights of that user', { skip: skipXml }, async () => {
  const { system, programs } = onWindows('8192');
  const manager = chooseManager(system, false);
  assert.equal(manager.path, 'C:\\Users\\ada b\\AppData\\Roaming\\underpass\\agent-service.xml');
  assert.equal(manager.log, 'C:\\Users\\ada b\\AppData\\Local\\underpass\\agent.log');
  const xml = manager.definition(JOB);
  assert.deepEqual(
    [...xml.subarray(0, 2)],
    [0xff, 0xfe],
    'UTF-16 with its mark, as the scheduler exports it',
  );
  assert.ok(isWellFormed(xml));
  const value = (...names: readonly string[]) => xpath(xml, `string(${at('Task', ...names)})`);
  assert.equal(value('Triggers', 'LogonTrigger', 'UserId'), SID);
  assert.equal(value('Principals', 'Principal', 'UserId'), SID);
  assert.equal(value('Principals', 'Principal', 'LogonType'), 'InteractiveToken');
  assert.equal(value('Principals', 'Principal', 'RunLevel'), 'LeastPrivilege');
  assert.equal(value('Settings', 'ExecutionTimeLimit'), 'PT0S');
  assert.equal(value('Settings', 'StopIfGoingOnBatteries'), 'false');
  assert.equal(value('Settings', 'RestartOnFailure', 'Interval'), 'PT1M');
  assert.equal(value('Actions', 'Exec', 'Command'), `"${JOB.program[0]}"`);
  assert.equal(
    value('Actions', 'Exec', 'Arguments'),
    'service run --log "C:\\Users\\ada b\\AppData\\Local\\underpass\\agent.log" -- start --config "C:\\Users\\ada b\\a.yaml" --all',
  );
  for (const ask of [manager.take, manager.start, manager.status, manager.stop, manager.end])
    assert.equal(await ask(), 0);
  const name = '/TN underpass-agent-ada_b';
  assert.deepEqual(programs.takeCalls(), [
    `schtasks /Create ${name} /XML ${manager.path} /F`,
    `schtasks /Run ${name}`,
    `schtasks /Query ${name} /V /FO LIST`,
    `schtasks /End ${name}`,
    `schtasks /End ${name}`,
    `schtasks /Delete ${name} /F`,
  ]);
});

test('an elevated prompt installs a task from boot, without a password', { skip: skipXml }, async () => {
  const { system, programs } = onWindows('12288');
  const manager = chooseManager(system, false);
  assert.equal(manager.path, 'C:\\ProgramData\\underpass\\agent-service.xml');
  const xml = manager.definition(JOB);
  assert.equal(xpath(xml, `count(${at('Task', 'Triggers', 'BootTrigger')})`), '1');
  assert.equal(xpath(xml, `count(${at('Task', 'Triggers')}/*)`), '1');
  assert.equal(xpath(xml, `string(${at('Task', 'Principals', 'Principal', 'LogonType')})`), 'S4U');
  assert.equal(await manager.start(), 0);
  assert.deepEqual(programs.takeCalls(), ['schtasks /Run /TN underpass-agent']);
  assert.match(chooseManager(system, true).path, /Roaming/, '--user: the task of the user');
});

test('what the scheduler would replace, or XML cannot hold, is refused', () => {
  const make = (word: string) => () => taskText({ command: ['x', word], sid: SID, isOfMachine: false });
  for (const word of ['C:\\%TEMP%\\x', '$(Arg0)', 'a\nb', '\0', '\ud800'])
    assert.throws(make(word), InvalidInput, word);
  assert.match(make('a<b>&c')(), /<Arguments>a&lt;b&gt;&amp;c<\/Arguments>/);
});

test('an account of the system has no way to log on', () => {
  const text = taskText({ command: ['x'], sid: 'S-1-5-18', isOfMachine: true });
  assert.doesNotMatch(text, /LogonType/);
});
