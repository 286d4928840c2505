/** The last failure, with a button that closes it. */
import { problem } from './attempt.ts';

export function ProblemLine() {
  if (problem.value === '') return null;
  return (
    <p class="problem" role="alert">
      {problem.value}{' '}
      <button type="button" onClick={() => (problem.value = '')}>
        Close
      </button>
    </p>
  );
}
