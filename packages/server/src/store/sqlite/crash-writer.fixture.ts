/**
 * The program that the durability test kills: several writers that never stop, each reporting its acknowledged writes.
 */
import { writeSync } from 'node:fs';
import { insertion } from '../conformance/harness.fixture.ts';
import { openSqliteStore } from './store.ts';

/** One acknowledged write: a pair of documents that were inserted, replaced by a generation, or deleted together. */
export interface Answer {
  readonly left: string;
  readonly right: string;
  readonly generation: number;
  readonly deleted: boolean;
  readonly revision: number;
}

/** Returns the body of both documents of a pair, larger than a database page. */
export function bodyOf(left: string, generation: number) {
  return { generation, text: `${left}.${generation} `.repeat(50 + (generation % 7) * 40) };
}

const WRITERS = 8;

async function run(path: string): Promise<void> {
  const store = await openSqliteStore({ path });
  const answered = (answer: Answer) => writeSync(1, `${JSON.stringify(answer)}\n`);

  async function writePair(): Promise<void> {
    const pair = { left: '', right: '' };
    let revision = await store.write((newId) => {
      pair.left = newId('left');
      pair.right = newId('right');
      const body = bodyOf(pair.left, 0);
      const links = [{ field: 'pair', to: pair.left, binding: false }];
      const names = [{ kind: 'pair', value: pair.left }];
      return [
        insertion(pair.left, { body, kind: 'left', names }),
        insertion(pair.right, { body, kind: 'right', links }),
      ];
    });
    answered({ ...pair, generation: 0, deleted: false, revision });
    for (let generation = 1; generation < 4; generation++) {
      const body = bodyOf(pair.left, generation);
      const before = revision;
      const links = [{ field: 'pair', to: pair.left, binding: false }];
      const names = [{ kind: 'pair', value: `${pair.left}.${generation}` }];
      revision = await store.write(() => [
        { op: 'replace', id: pair.left, revision: before, body, links: [], names },
        { op: 'replace', id: pair.right, revision: before, body, links, names: [] },
      ]);
      answered({ ...pair, generation, deleted: false, revision });
    }
    if (pair.left.charCodeAt(pair.left.length - 1) % 2 === 0) return;
    const before = revision;
    revision = await store.write(() => [
      { op: 'delete', id: pair.right, revision: before },
      { op: 'delete', id: pair.left, revision: before },
    ]);
    answered({ ...pair, generation: 4, deleted: true, revision });
  }

  const writer = async () => {
    for (;;) await writePair();
  };
  await Promise.all(Array.from({ length: WRITERS }, writer));
}

const [, program, path] = process.argv;
if (program === import.meta.filename && path !== undefined) await run(path);
