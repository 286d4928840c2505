/** Tests the folders of a user's files on each system. */
import assert from 'node:assert/strict';
import { homedir } from 'node:os';
import { test } from 'node:test';
import { defaultConfigPath } from './config-file.ts';
import { configFolder, homeFolder } from './home-folder.ts';

const ROAMING = 'C:\\Users\\ada b\\AppData\\Roaming';
const WINDOWS = { APPDATA: ROAMING, USERPROFILE: 'C:\\Users\\ada b' };

test('on macOS it is ~/.config, as on Linux', () => {
  assert.equal(configFolder({ HOME: '/Users/ada' }, 'darwin'), '/Users/ada/.config');
  const configured = { HOME: '/Users/ada', XDG_CONFIG_HOME: '/c' };
  assert.equal(configFolder(configured, 'darwin'), '/c');
});

test('on Windows it is APPDATA, whatever a shell of another system puts into HOME', () => {
  assert.equal(configFolder({ ...WINDOWS, HOME: '/c/Users/ada' }, 'win32'), ROAMING);
  assert.equal(configFolder({ ...WINDOWS, APPDATA: 'relative' }, 'win32'), ROAMING);
  assert.equal(configFolder({ USERPROFILE: 'D:\\ada' }, 'win32'), 'D:\\ada\\AppData\\Roaming');
  assert.equal(configFolder({ ...WINDOWS, XDG_CONFIG_HOME: 'D:\\c' }, 'win32'), 'D:\\c');
  assert.equal(homeFolder({ USERPROFILE: 'relative' }, 'win32'), homedir());
});

test('on Windows a file at the path of older versions is used until there is a new one', () => {
  const path = `${ROAMING}\\underpass\\agent.yaml`;
  const older = 'C:\\Users\\ada b\\.config\\underpass\\agent.yaml';
  const given = (...files: readonly string[]) =>
    defaultConfigPath(WINDOWS, 'win32', (file) => files.includes(file));
  assert.equal(given(), path);
  assert.equal(given(older), older);
  assert.equal(given(older, path), path);
});
