/** The first steps of an account: trust in the service, a credential, and the wait for the first agent. */
import type { Signal } from '@preact/signals';
import { useGet } from '../api/cache.ts';
import { mayWrite } from '../api/session.ts';
import { href } from '../router.ts';
import type { Joining } from './join.ts';
import { type Made, NewAgent } from './new-agent.tsx';
import { TrustView } from './trust-view.tsx';

/** `made`: the first credential. Home shows the steps until `leave`, so that the URL can respond. */
export function FirstRun({ made, leave }: { made: Signal<Made | null>; leave: () => void }) {
  const joining = useGet<Joining | null>('/join.json');
  const authority = joining.data.value?.own_authority ?? null;
  return (
    <>
      <p>
        No name is served yet. An agent on your machine serves the first one. Or reserve a name and build an
        edge: <a href={href(['resources'])}>all resources</a>.
      </p>
      {mayWrite() ? (
        <section class="related" aria-label="The first agent">
          <h2>Connect the first agent</h2>
          <NewAgent made={made} />
          {made.value !== null && (
            <button type="button" onClick={leave}>
              Go to Home
            </button>
          )}
        </section>
      ) : (
        <p>Viewers cannot create credentials. Contact an admin.</p>
      )}
      {authority !== null && <TrustView authority={authority} />}
    </>
  );
}
