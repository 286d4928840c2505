/** The code that the generator writes, line by line where it matters. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { writeErrors } from './errors.ts';
import { resourcesOf } from './model.ts';
import { writeOperations } from './operations.ts';
import { writeResources } from './resources.ts';
import { sampleDocument } from './sample-document.fixture.ts';

const resources = resourcesOf(sampleDocument);

test('methods take ids, then the body, then options', () => {
  const code = writeResources(sampleDocument, resources);
  for (const line of [
    'list(options: SelectOptions = {}): Listing<Widget, WidgetList> {',
    "return this.#transport.list('/widgets', 'widgets', options);",
    'create(body: WidgetCreate = {}, options: CallOptions = {}): Promise<Widget> {',
    'delete(id: string, options: CallOptions = {}): Promise<void> {',
    `return this.#transport.call('DELETE', \`/widgets/\${segment(id)}\`, undefined, options);`,
    'putFrontCover(id: string, body: Cover = {}, options: CallOptions = {}): Promise<Cover> {',
    'wakeUp(id: string, options: CallOptions = {}): Promise<void> {',
    'list(widgetId: string, options: ListOptions = {}): Listing<Part, PartList> {',
    'update(widgetId: string, type: string, body: PartUpdate = {}, options: CallOptions = {}): Promise<Part> {',
    `return this.#transport.call('PATCH', \`/widgets/\${segment(widgetId)}/parts/\${segment(type)}\`, body, options);`,
    'create(widgetId: string, body: GadgetCreate, options: CallOptions = {}): Promise<Gadget> {',
    'export class WidgetParts {',
    'this.widgetParts = new WidgetParts(transport);',
  ])
    assert.ok(code.includes(line), line);
});

test('parameters of a query come before the body, and those of a list are options', () => {
  const query = [
    { name: 'by', required: true, schema: { type: 'string' } },
    { name: 'size', required: false, schema: { type: 'integer' } },
  ];
  const verb = {
    ...{ name: 'get_series', summary: 'Get', method: 'GET', path: '/series', parameters: [] },
    ...{ query, body: null, result: 'Widget', list: null },
  };
  const listing = {
    ...verb,
    name: 'list',
    list: { key: 'widgets', item: 'Widget', isPaged: true, isSelected: false },
  };
  const series = { name: 'series', tag: 'Series', isInner: false, summary: 'Series', verbs: [verb, listing] };
  const code = writeResources(sampleDocument, [series]).replaceAll(/\s+/g, ' ');
  for (const line of [
    'getSeries(query: { readonly by: string; readonly size?: number; }, options: CallOptions = {})',
    `call('GET', \`/series\${queryText(query)}\`, undefined, options)`,
    'list(options: ListOptions & { readonly by: string; readonly size?: number; }): Listing',
    "list('/series', 'widgets', options, ['by', 'size'])",
    "import { queryText } from '../query-text.ts'",
  ])
    assert.ok(code.includes(line), `${line} in ${code}`);
});

test('only the types that are used are imported', () => {
  const [, imported] =
    /import type \{ (.*) \} from '.\/types.ts'/.exec(writeResources(sampleDocument, resources)) ?? [];
  assert.equal(
    imported,
    'Cover, Gadget, GadgetCreate, Part, PartList, PartUpdate, Widget, WidgetCreate, WidgetList',
  );
});

test('the table has every verb, and the fields of its body with their types', () => {
  const [, json = ''] = / = (\[.*?\]);$/ms.exec(writeOperations(sampleDocument, resources)) ?? [];
  const table = JSON.parse(json);
  const [list, create] = table[0].verbs;
  assert.deepEqual(list, {
    name: 'list',
    summary: 'Do: widget_list',
    parameters: [],
    fields: null,
    list: { key: 'widgets', isPaged: true, isSelected: true },
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
        'cover object',
        'parts list',
      ],
    ],
  );
  assert.equal(create.fields[0].description, 'A text for people.');
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
  const twice = writeErrors({ ipPolicyMissing: { number: 7025, inConfigurations: 1625 } });
  assert.match(twice, /new Map\(\[\n\['ipPolicyMissing', 1625\],\n\]\);/);
});
