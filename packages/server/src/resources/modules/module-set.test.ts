import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { TcpEdgeDocument } from '../../documents/index.ts';
import type { RuleContext } from '../definition.ts';
import { backendModule } from './backend.ts';
import { compressionModule } from './compression.ts';
import { ipRestrictionModule } from './ip-restriction.ts';
import { configurationIn, ModuleSet } from './module-set.ts';

type Stored = Pick<TcpEdgeDocument, 'backend' | 'ip_restriction'>;
/** None of these modules reads it. */
const context = {} as RuleContext;

test('what a kind has of its modules follows from one list, by name', async () => {
  const modules = new ModuleSet(backendModule, ipRestrictionModule);
  assert.deepEqual(Object.keys(modules.write), ['backend', 'ip_restriction']);
  assert.deepEqual(Object.keys(modules.read), ['backend', 'ip_restriction']);
  const stored: Stored = await modules.configure({ backend: { backend_id: 'bkdhr_1' } }, null, context);
  assert.deepEqual(stored, { backend: { enabled: true, backend_id: 'bkdhr_1' }, ip_restriction: null });
  assert.deepEqual(await modules.configure({}, stored, context), stored);
});

test('a list that lacks a module of the stored body does not compile, nor one of another shape', async () => {
  const few = new ModuleSet(backendModule);
  // @ts-expect-error without ip_restriction
  const lacking: Stored = await few.configure({}, null, context);
  const other = new ModuleSet(backendModule, { ...compressionModule, name: 'ip_restriction' } as const);
  // @ts-expect-error an ip_restriction without policies
  const wrong: Stored = await other.configure({}, null, context);
  assert.deepEqual([Object.keys(lacking), wrong.ip_restriction], [['backend'], null]);
});

test('a module that came with a later version than the document is not set', () => {
  assert.equal(configurationIn({}, 'backend'), null);
  assert.throws(() => configurationIn({ backend: 'bkdhr_1' }, 'backend'), /no module/);
});
