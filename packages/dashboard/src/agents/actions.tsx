/** Stop, restart and update of a session, each after a dialog with its effect. Viewers see none. */
import { invalidate } from '../api/cache.ts';
import { send } from '../api/http.ts';
import { mayWrite } from '../api/session.ts';
import { Confirm } from '../parts/confirm.tsx';
import { go, href } from '../router.ts';
import type { Affected } from './affected.ts';
import { AffectedView } from './affected-view.tsx';

interface ActionParts {
  readonly id: string;
  readonly affected: Affected;
  /** All tunnels are known. */
  readonly isComplete: boolean;
}

export function AgentActions({ id, affected, isComplete }: ActionParts) {
  if (!mayWrite()) return null;
  const act = (action: string) => async () => {
    await send({ method: 'POST', path: `/tunnel_sessions/${encodeURIComponent(id)}/${action}` });
    invalidate('/tunnel_sessions', '/tunnels', '/names');
    go(href(['agents']));
  };
  return (
    <>
      <Confirm
        label="Update"
        question="Update the agent?"
        confirm="Update agent"
        done="The agent updates itself"
        act={act('update')}
      >
        <p>The agent updates itself to the newest version of its major one, and starts anew.</p>
        <p class="remark">An agent that npm installed refuses: update it there.</p>
      </Confirm>
      <Confirm
        label="Restart"
        question="Restart the agent?"
        confirm="Restart agent"
        done="The agent restarts"
        act={act('restart')}
      >
        <p>It comes back with a new session and the same tunnels. Meanwhile these are offline:</p>
        <AffectedView affected={affected} isComplete={isComplete} />
      </Confirm>
      <Confirm
        label="Stop"
        question="Stop the agent?"
        confirm="Stop agent"
        done="The agent stops"
        isDanger
        act={act('stop')}
      >
        <p>The agent ends, and must be started on its machine again. Without it:</p>
        <AffectedView affected={affected} isComplete={isComplete} />
      </Confirm>
    </>
  );
}
