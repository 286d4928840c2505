import assert from 'node:assert/strict';
import { test } from 'node:test';
import { writeErrors } from './errors.ts';
import { kitchen } from './kitchen.fixture.ts';
import { resourcesOf } from './model.ts';
import { writeOperations } from './operations.ts';
import { writeResources } from './resources.ts';

const resources = resourcesOf(kitchen);

test('methods take ids, then the body, then options', () => {
  const code = writeResources(kitchen, resources);
  for (const line of [
    'list(options: ListOptions = {}): Listing<Cook, CookList> {',
    "return this.#transport.list('/cooks', 'cooks', options);",
    'create(body: CookCreate = {}, options: CallOptions = {}): Promise<Cook> {',
    'delete(id: string, options: CallOptions = {}): Promise<void> {',
    `return this.#transport.call('DELETE', \`/cooks/\${segment(id)}\`, undefined, options);`,
    'putBreadOven(id: string, body: Oven = {}, options: CallOptions = {}): Promise<Oven> {',
    'wakeUp(id: string, options: CallOptions = {}): Promise<void> {',
    'list(cookId: string, options: ListOptions = {}): Listing<Knife, KnifeList> {',
    'update(cookId: string, type: string, body: KnifeUpdate = {}, options: CallOptions = {}): Promise<Knife> {',
    `return this.#transport.call('PATCH', \`/cooks/\${segment(cookId)}/knives/\${segment(type)}\`, body, options);`,
    'create(cookId: string, body: DishCreate, options: CallOptions = {}): Promise<Dish> {',
    'export class CookKnives {',
    'this.cookKnives = new CookKnives(transport);',
  ])
    assert.ok(code.includes(line), line);
});

test('only the types that are used are imported', () => {
  const [, imported] =
    /import type \{ (.*) \} from '.\/types.ts'/.exec(writeResources(kitchen, resources)) ?? [];
  assert.equal(imported, 'Cook, CookCreate, CookList, Dish, DishCreate, Knife, KnifeList, KnifeUpdate, Oven');
});

test('the table has every verb, and the fields of its body with their types', () => {
  const [, json = ''] = / = (\[.*\]);$/s.exec(writeOperations(kitchen, resources)) ?? [];
  const table = JSON.parse(json);
  const [list, create] = table[0].verbs;
  assert.deepEqual(list, {
    name: 'list',
    summary: 'Do: cook_list',
    parameters: [],
    fields: null,
    list: { key: 'cooks', isPaged: true },
  });
  assert.deepEqual(
    create.fields.map(({ name, type }: { name: string; type: string }) => `${name} ${type}`),
    [
      ...[
        'name string',
        'age integer',
        'shift string',
        'tags strings',
        'labels map',
        'oven object',
        'knives list',
      ],
    ],
  );
  assert.equal(create.fields[0].description, 'For people.');
  assert.deepEqual(create.fields[2].values, ['day', 'night']);
  assert.deepEqual(table[2].verbs[0].fields, [
    { name: 'name', type: 'string', required: true, description: '' },
  ]);
  assert.deepEqual(table[1].verbs[1].fields, []);
});

test('errors are numbers by name', () => {
  assert.match(
    writeErrors({ rateLimited: { number: 226 } }),
    /errorNumbers = \{\nrateLimited: 226,\n\} as const;/,
  );
});
