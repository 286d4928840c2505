/** Requests an explanation of the API and prints it. */
import { InvalidInput } from '../address.ts';
import { printableLine } from '../printable.ts';
import type { DescribedRequest, ExplainFlags } from './described-request.ts';
import { jsonText } from './json.ts';
import { withApi } from './session.ts';
import { writeAll } from './write-all.ts';

/** The response of the API, as far as the text shows it. */
export interface Explanation {
  readonly outcome: string;
  readonly status_code: number;
  readonly error_code: string;
  readonly steps: readonly {
    readonly step: string;
    readonly outcome: string;
    readonly resource: string;
    readonly error_code: string;
    readonly why: string;
  }[];
}

/** Resolves with the exit code: 1 if the API refuses, or if the result is not the expected one. Throws InvalidInput. */
export async function runExplain(described: DescribedRequest, flags: ExplainFlags): Promise<number> {
  const expected = flags.expect ?? [];
  for (const one of expected) checkExpected(one);
  return await withApi(flags, async (client) => {
    const explanation = await client.explain.request(described);
    await writeAll(
      process.stdout,
      flags.json === true ? jsonText(explanation) : explanationText(explanation),
    );
    const missed = expected.filter((one) => !isExpected(explanation, one));
    if (missed.length === 0) return 0;
    await writeAll(process.stderr, `expected ${missed.join(', ')}; the result is ${resultOf(explanation)}\n`);
    return 1;
  });
}

/** An outcome, a status code or an error code. Throws InvalidInput. */
function checkExpected(expected: string): void {
  if (/^(served|refused|redirected|[1-5]\d\d|ERR_\w+)$/.test(expected)) return;
  throw new InvalidInput(
    `The result "${printableLine(expected)}" cannot be expected. Give served, refused, redirected, a status code or an error code.`,
    'expect',
  );
}

export function isExpected({ outcome, status_code, error_code }: Explanation, expected: string): boolean {
  return [outcome, String(status_code), error_code].includes(expected);
}

function resultOf({ outcome, status_code, error_code }: Explanation): string {
  const parts = [outcome, ...(status_code === 0 ? [] : [String(status_code)]), error_code];
  return printableLine(parts.filter((part) => part !== '').join(' '));
}

/** The result in the first line, then a line for each step. */
export function explanationText(explanation: Explanation): string {
  const { steps } = explanation;
  const [outcomes, names] = [widthOf(steps, 'outcome'), widthOf(steps, 'step')];
  const lines = steps.map((one) => {
    const start = `  ${one.outcome.replace('_', ' ').padEnd(outcomes)}  ${one.step.padEnd(names)}  `;
    const resource = one.resource === '' || one.why.includes(one.resource) ? '' : ` (${one.resource})`;
    return printableLine(`${start}${one.why}${resource}`);
  });
  return `${[resultOf(explanation), ...lines].join('\n')}\n`;
}

function widthOf(steps: Explanation['steps'], field: 'outcome' | 'step'): number {
  return Math.max(...steps.map((one) => one[field].length));
}
