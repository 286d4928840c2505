/** Kinds and operations for tests of the API, so that no such test depends on the rules of a real kind. */
import { Type } from '../core/type.ts';
import type { KindSurface } from '../resources/definition.ts';
import type { StandaloneOperation, Topic } from '../resources/standalone/definition.ts';

export const WIDGET = 'widget_2NGMTbWc4FRUSFXd6YGbWXkE3PB';

const Ref = Type.Object(
  { id: Type.String(), uri: Type.String() },
  { $id: 'Ref', additionalProperties: false },
);
const Cover = Type.Object({ enabled: Type.Boolean() }, { $id: 'Cover' });
const described = { description: Type.Optional(Type.String({ maxLength: 255, 'x-error': 'valueInvalid' })) };
const widgetRead = Type.Object({
  id: Type.String(),
  description: Type.String(),
  friend: Type.Union([Ref, Type.Null()]),
  labels: Type.Record(Type.String(), Type.String()),
  cover: Type.Union([Cover, Type.Null()]),
});

export const widgets: KindSurface = {
  source: 'stored',
  name: 'widget',
  prefix: 'widget',
  path: '/samples/widgets',
  listKey: 'widgets',
  schemaName: 'Widget',
  summary: 'Widgets',
  description: 'Users of widgets.',
  group: 'Users',
  one: 'a widget',
  operations: ['create', 'list', 'get', 'update', 'delete'],
  create: Type.Object(described, { additionalProperties: false }),
  update: Type.Object(described, { additionalProperties: false }),
  read: widgetRead,
  modules: [
    { name: 'cover', schemaName: 'Cover', summary: 'Cover', write: Cover, read: Cover },
    {
      name: 'link',
      schemaName: 'Link',
      summary: 'Link',
      write: Type.Object({ gadget_id: Type.String() }),
      read: Type.Object({ gadget: Ref }),
    },
  ],
  detachments: [{ name: 'owner', field: 'owner_id', summary: 'Owner of a widget' }],
  views: [{ name: 'size', schemaName: 'Size', summary: 'Size of a widget', read: Type.Object({}) }],
  actions: [
    {
      name: 'weigh',
      summary: 'Weigh a widget',
      result: { schemaName: 'Weight', read: Type.Object({}) },
    },
  ],
};
export const gadgets: KindSurface = {
  source: 'live',
  name: 'gadget',
  prefix: 'gadget',
  path: '/gadgets',
  listKey: 'gadgets',
  schemaName: 'Gadget',
  summary: 'Gadgets',
  description: 'Objects with widgets.',
  group: 'Backends',
  one: 'a gadget',
  operations: ['list', 'get'],
  read: Type.Object({ id: Type.String() }),
  modules: [],
};

const Note = Type.Object({ id: Type.String(), text: Type.String() }, { $id: 'Note' });
const topic: Topic = {
  ...{ name: 'note', summary: 'Notes', description: 'Texts that belong to no kind.', group: 'Backends' },
};
/** Operations that belong to no kind. Each returns the call that it received. */
export const notes: readonly StandaloneOperation[] = [
  {
    ...{ topic, operation: 'note_list', method: 'GET', path: '/notes', summary: 'List notes', isRead: true },
    query: Type.Object({
      limit: Type.Optional(
        Type.Integer({ minimum: 1, maximum: 100, default: 100, description: 'Largest number.' }),
      ),
      before_id: Type.Optional(Type.String({ description: 'Lists earlier ones.' })),
      about: Type.Enum(['day', 'night'], { type: 'string', description: 'Part of the day.' }),
      size: Type.Optional(Type.Integer({ minimum: 1, description: 'Least number of words.' })),
      is_short: Type.Optional(Type.Boolean({ description: 'Short ones only.' })),
    }),
    result: {
      schemaName: 'NoteList',
      read: Type.Object({
        notes: Type.Array(Note),
        uri: Type.String(),
        next_page_uri: Type.Union([Type.String(), Type.Null()]),
      }),
    },
  },
  {
    ...{ topic, operation: 'note_try', method: 'POST', path: '/notes/{id}/try', summary: 'Try a note' },
    ...{ isRead: false, parameters: { id: 'The id of the note.' } },
    body: { schemaName: 'NoteTry', write: Type.Object({ text: Type.String() }) },
    result: { schemaName: 'Tried', read: Type.Object({}) },
  },
  {
    ...{ topic, operation: 'note_delete', method: 'DELETE', path: '/notes/{id}', summary: 'Delete a note' },
    ...{ isRead: false, isForViewers: true, result: null },
  },
];
