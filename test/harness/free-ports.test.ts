/** Tests that a port of one process of a run is given to no other one, free or not. */
import assert from 'node:assert/strict';
import { readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { freePortRange, freePorts, GIVEN_PORTS } from './free-ports.ts';
import { temporaryFolder } from './temporary-folder.ts';

test('ports that another process was given are left out, and the own ones are noted', async (t) => {
  const folder = ownFolder(t);
  const isLeft = (port: number): boolean => port % 100 === 0;
  for (let port = 10_000; port < 20_000; port += 1)
    if (!isLeft(port)) writeFileSync(join(folder, String(port)), '');
  const ports = await freePorts(5);
  assert.ok(ports.every(isLeft), ports.join());
  assert.equal(new Set(ports).size, 5);
  for (const port of ports) assert.ok(readdirSync(folder).includes(String(port)));
});

test('ports in a row are as many as were asked for, and never given again', async () => {
  const first = await freePortRange(3);
  const others = await freePorts(20);
  assert.ok(others.every((port) => port < first || port > first + 2));
});

test('a range is found though many single ports are given, and a try in vain gives its ports back', async (t) => {
  const folder = ownFolder(t);
  const singles = await freePorts(2_000);
  const ranges = [await freePortRange(100), await freePortRange(100)];
  const given = [
    ...singles,
    ...ranges.flatMap((first) => Array.from({ length: 100 }, (_, at) => first + at)),
  ];
  const noted = new Set(readdirSync(folder));
  assert.equal(new Set(given).size, 2_200);
  // Ports that a server of another program holds are noted, too.
  assert.ok(given.every((port) => noted.has(String(port))));
  for (let port = 10_000; port < 20_000; port += 3) writeFileSync(join(folder, String(port)), '');
  const before = readdirSync(folder).length;
  await assert.rejects(freePortRange(5), /no 5 free ports in a row/);
  assert.equal(readdirSync(folder).length, before);
});

/** A folder of this test instead of that of the run. */
function ownFolder(t: TestContext): string {
  const folder = temporaryFolder('underpass-ports-');
  const before = process.env[GIVEN_PORTS];
  process.env[GIVEN_PORTS] = folder;
  t.after(() => {
    process.env[GIVEN_PORTS] = before;
    if (before === undefined) delete process.env[GIVEN_PORTS];
    rmSync(folder, { recursive: true });
  });
  return folder;
}
