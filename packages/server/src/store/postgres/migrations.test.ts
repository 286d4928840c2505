import assert from 'node:assert/strict';
import { test } from 'node:test';
import { migrations, OLDEST_PROGRAM } from './migrations.ts';

/** The first step under this rule. */
const FIRST = 11;
/** Begins a step that takes something away. The first schema whose programs do without it is N. */
const CONTRACTS = /^\s*-- Contracts since (\d+)\./;

/** Statements beside which programs of the former schema go on. */
const ADDS: readonly RegExp[] = [
  /^CREATE (TABLE|SEQUENCE|TYPE) underpass\./,
  /^CREATE INDEX \w+ ON underpass\./,
  /^CREATE FUNCTION underpass\./,
  /^CREATE TRIGGER \w+ /,
  // Writes of the former program have no value for the column.
  /^ALTER TABLE underpass\.\w+ ADD COLUMN (?!.*NOT NULL)/,
  /^ALTER TABLE underpass\.\w+ ADD COLUMN .*\bDEFAULT /,
  /^(INSERT INTO|UPDATE) underpass\./,
];

/** Statements without comments. A body between dollars is one word. */
function statementsOf(step: string): readonly string[] {
  const plain = step.replaceAll(/--.*$/gm, '').replaceAll(/\$(\w*)\$[\s\S]*?\$\1\$/g, 'BODY');
  return plain
    .split(';')
    .map((statement) => statement.trim().replaceAll(/\s+/g, ' '))
    .filter((statement) => statement !== '');
}

/** Returns statements that could stop programs of the former schema. */
function breaking(step: string): readonly string[] {
  if (CONTRACTS.test(step)) return [];
  return statementsOf(step).filter((statement) => !ADDS.some((adds) => adds.test(statement)));
}

test('a step adds only, or names the programs that do without', () => {
  for (const [index, step] of migrations.entries()) {
    const number = index + 1;
    if (number < FIRST) continue;
    assert.deepEqual(breaking(step), [], `step ${number}`);
    const since = Number(CONTRACTS.exec(step)?.[1] ?? 0);
    assert.ok(since < number, `step ${number} would stop every program before it`);
    assert.ok(since <= OLDEST_PROGRAM, `OLDEST_PROGRAM is at least ${since}, because of step ${number}`);
  }
  assert.ok(OLDEST_PROGRAM < migrations.length, 'programs of the former schema can start');
});

test('the rule finds statements that stop the former program', () => {
  for (const statement of [
    'DROP TABLE underpass.writers',
    'DROP FUNCTION underpass.leave_mark',
    'CREATE OR REPLACE FUNCTION underpass.leave_mark() RETURNS trigger AS $body$ SELECT 1; $body$',
    'CREATE UNIQUE INDEX one ON underpass.names (id)',
    'ALTER TABLE underpass.names RENAME COLUMN id TO document',
    'ALTER TABLE underpass.names ALTER COLUMN id SET NOT NULL',
    'ALTER TABLE underpass.names ADD COLUMN colour TEXT NOT NULL',
    'ALTER TABLE underpass.names DROP COLUMN id',
    'DELETE FROM underpass.names',
  ])
    assert.equal(breaking(`CREATE TABLE underpass.more (a TEXT); ${statement};`).length, 1, statement);
  for (const statement of [
    'ALTER TABLE underpass.names ADD COLUMN colour TEXT',
    "ALTER TABLE underpass.names ADD COLUMN colour TEXT NOT NULL DEFAULT ''",
    'CREATE FUNCTION underpass.more() RETURNS trigger AS $body$ BEGIN DELETE FROM a; END $body$',
    '-- Contracts since 11. Programs use colour.\n DROP TABLE underpass.writers',
  ])
    assert.deepEqual(breaking(statement), [], statement);
});
