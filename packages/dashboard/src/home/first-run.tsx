/** The first steps of an account: the way to the first agent. */
import { mayWrite } from '../api/session.ts';
import { href } from '../router.ts';

export function FirstRun() {
  return (
    <div class="empty">
      <p>No name is served yet. An agent on your machine serves the first one.</p>
      {mayWrite() && (
        <p>
          <a class="button primary" href={href(['add-agent'])}>
            Add an agent
          </a>
        </p>
      )}
      <p>
        Or reserve a name and build an edge: <a href={href(['resources'])}>all resources</a>.
      </p>
    </div>
  );
}
