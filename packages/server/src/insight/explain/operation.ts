/** Runs `POST /explain`. */
import type { EdgeRules } from '../../edge/edge.ts';
import { errorCode } from '../../errors/problem.ts';
import type { StandaloneRuns } from '../../resources/standalone/definition.ts';
import type { ExplainFields } from '../../resources/standalone/explain.ts';
import { explain } from './explain.ts';
import { readQuestion } from './question.ts';

export function explainRuns(rules: EdgeRules, now: () => number): StandaloneRuns {
  const codeOf = (error: Parameters<typeof errorCode>[1] | null): string =>
    error === null ? '' : errorCode(rules.settings.errorPrefix, error);
  return {
    async explain_request({ body, principal }) {
      const question = readQuestion(body as ExplainFields);
      const { outcome, status, error, steps } = await explain(question, principal.account, rules, now());
      return {
        outcome,
        status_code: status,
        error_code: codeOf(error),
        steps: steps.map(({ error: ofStep, ...step }) => ({ ...step, error_code: codeOf(ofStep) })),
      };
    },
  };
}
