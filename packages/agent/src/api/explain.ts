/** Requests an explanation of the API and prints it. */
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

/** Resolves with the exit code: 1 if the API refuses. Throws InvalidInput. */
export function runExplain(described: DescribedRequest, flags: ExplainFlags): Promise<number> {
  return withApi(flags, async (client) => {
    const explanation = await client.explain.request(described);
    await writeAll(
      process.stdout,
      flags.json === true ? jsonText(explanation) : explanationText(explanation),
    );
    return 0;
  });
}

/** The result in the first line, then a line for each step. */
export function explanationText({ outcome, status_code, error_code, steps }: Explanation): string {
  const result = [outcome, ...(status_code === 0 ? [] : [String(status_code)]), error_code];
  const [outcomes, names] = [widthOf(steps, 'outcome'), widthOf(steps, 'step')];
  const lines = steps.map((one) => {
    const start = `  ${one.outcome.replace('_', ' ').padEnd(outcomes)}  ${one.step.padEnd(names)}  `;
    const resource = one.resource === '' || one.why.includes(one.resource) ? '' : ` (${one.resource})`;
    return printableLine(`${start}${one.why}${resource}`);
  });
  return `${[printableLine(result.filter((part) => part !== '').join(' ')), ...lines].join('\n')}\n`;
}

function widthOf(steps: Explanation['steps'], field: 'outcome' | 'step'): number {
  return Math.max(...steps.map((one) => one[field].length));
}
