/** The plan of `apply` as lines that people read. Pure. */
import type { FieldTable } from '@underpass/client/operations';
import { printableLine } from '../printable.ts';
import { fieldsIn } from './catalogue.ts';
import { applicableFields } from './documents.ts';
import { isRow } from './lookup.ts';
import type { Step } from './plan.ts';
import { cut } from './table.ts';

/** Columns of a value. */
const VALUE_COLUMNS = 60;
const SIGNS = { create: '+ create', update: '~ change', unchanged: '= unchanged' } as const;

/** A line for each document, its differences below it, and a line of totals. Secrets are not shown. */
export function planText(steps: readonly Step[]): string {
  const count = (action: Step['action']) => steps.filter((step) => step.action === action).length;
  const totals = `${count('create')} to create, ${count('update')} to change, ${count('unchanged')} unchanged.`;
  return [...steps.flatMap(stepLines), totals].map((line) => `${printableLine(line)}\n`).join('');
}

function stepLines(step: Step): readonly string[] {
  const { action, title, document, differences, removals, secrets } = step;
  const head = `${SIGNS[action]} ${title}`;
  if (action === 'create') {
    const fields = applicableFields(document.resource);
    const given = Object.entries(masked(fields, document.body)).filter(([, value]) => value !== null);
    return [head, ...given.map(([name, value]) => `    ${name}: ${valueText(value)}`)];
  }
  const changed = differences.map(
    ({ path, from, to }) => `    ${path}: ${valueText(from)} -> ${valueText(to)}`,
  );
  const note = secrets.length === 0 ? [] : [`    ${secrets.join(', ')}: ${secretNote(step)}`];
  return [head, ...changed, ...removals.map((name) => `    ${name}: is taken off`), ...note];
}

function secretNote({ action }: Step): string {
  return action === 'update'
    ? 'secret, not shown; sent if its field is changed'
    : 'secret, not compared; --send-secrets sends it again';
}

function valueText(value: unknown): string {
  return cut(value === undefined ? 'null' : JSON.stringify(value), VALUE_COLUMNS);
}

/** The body with secrets hidden. */
function masked(fields: readonly FieldTable[], body: object): Record<string, unknown> {
  const entries = Object.entries(body).map(([name, value]: [string, unknown]) => {
    const field = fields.find((it) => it.name === name);
    if (field?.isSecret === true) return [name, '(secret)'];
    const inner = field === undefined ? [] : fieldsIn(field);
    return [name, inner.length > 0 && isRow(value) ? masked(inner, value) : value];
  });
  return Object.fromEntries(entries);
}
