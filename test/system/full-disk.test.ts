import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { inNamespace } from '../harness/index.ts';

test('a full disk: writes are refused by name, and the daemon starts for reads and traffic', async () => {
  await inNamespace(fileURLToPath(import.meta.resolve('./full-disk.fixture.ts')));
});
