/** Runs what a user started, and shows its failure at the top of the page. */
import { signal } from '@preact/signals';

/** The last failure; '' for none. */
export const problem = signal('');

/** Never rejects. A request that the page itself aborted is no failure. */
export async function attempt(act: () => Promise<void>): Promise<void> {
  try {
    problem.value = '';
    await act();
  } catch (error) {
    if (error instanceof DOMException && error.name === 'AbortError') return;
    problem.value = error instanceof Error ? error.message : String(error);
  }
}
