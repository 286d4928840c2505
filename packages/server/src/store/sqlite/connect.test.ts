import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, readlinkSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { connectWriter } from './connect.ts';

/** Returns the files that this process has open, including deleted ones. */
function openFiles(): readonly string[] {
  return readdirSync('/proc/self/fd').flatMap((fd) => {
    try {
      return [readlinkSync(`/proc/self/fd/${fd}`)];
    } catch {
      return []; // The descriptor of the listing itself.
    }
  });
}

test('what a large change cannot have in memory is put beside the database', (context) => {
  const directory = mkdtempSync(join(tmpdir(), "underpass-o'connect-"));
  context.after(() => rmSync(directory, { recursive: true, force: true }));
  const database = connectWriter(join(directory, 'underpass.db'));
  database.exec(`
    CREATE TABLE things (text TEXT);
    INSERT INTO things SELECT hex(zeroblob(1000)) FROM (
      WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < 1000) SELECT n FROM numbers
    );
    BEGIN;
    SAVEPOINT batch;
    UPDATE things SET text = 'another';
  `);
  const temporary = openFiles().filter((file) => file.includes('/etilqs_'));
  database.close();
  assert.ok(temporary.length > 0, 'all of it was in memory');
  for (const file of temporary) assert.ok(file.startsWith(`${directory}/`), file);
});
