import assert from 'node:assert/strict';
import { test } from 'node:test';
import { resourceTables } from '@underpass/client/operations';
import { Command } from 'commander';
import { addApiCommands } from './command.ts';
import { attributeOf, flagOf, kebab } from './names.ts';

function apiOf(...argv: string[]): Command {
  const api = new Command('api');
  addApiCommands(api, argv, () => {});
  return api;
}

test('every resource is a command, and every verb of the one that is named', () => {
  const api = apiOf(...resourceTables.map(({ name }) => kebab(name)));
  const named = api.commands
    .filter((it) => it.name() !== 'apply')
    .map((command) => [
      command.name(),
      command.commands.map((verb) => verb.name()).filter((verb) => verb !== 'edit'),
    ]);
  assert.deepEqual(
    named,
    resourceTables.map(({ name, verbs }) => [kebab(name), verbs.map((verb) => kebab(verb.name))]),
  );
  for (const name of ['tls-edges', 'reserved-domains', 'https-edge-routes'])
    assert.ok(
      api.commands.some((command) => command.name() === name),
      name,
    );
});

test('no field shares its flag with another one or with what every command has', () => {
  const general = new Set([
    'data',
    'json',
    'limit',
    'all',
    'api-url',
    'api-key',
    'ca',
    'version-header',
    'help',
  ]);
  for (const { name, verbs } of resourceTables)
    for (const verb of verbs)
      for (const field of verb.fields ?? []) {
        const flag = flagOf(field.name);
        assert.equal(general.has(flag) || flag.startsWith('no-'), false, `${name} ${verb.name} --${flag}`);
      }
});

test('the parser finds the flag of every field where its value is looked for', () => {
  const api = apiOf(...resourceTables.map(({ name }) => kebab(name)));
  for (const { name, verbs } of resourceTables)
    for (const verb of verbs) {
      const command = api.commands.find((it) => it.name() === kebab(name));
      const options = command?.commands.find((it) => it.name() === kebab(verb.name))?.options ?? [];
      const attributes = options.map((option) => option.attributeName());
      for (const field of verb.fields ?? [])
        assert.ok(attributes.includes(attributeOf(field.name)), field.name);
    }
});
