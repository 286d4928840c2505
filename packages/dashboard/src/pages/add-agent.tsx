/** Adds an agent: a credential, the commands to paste, and the wait until its URL responds. */
import { useSignal } from '@preact/signals';
import { Empty } from '@underpass/ui/states.tsx';
import { mayWrite } from '../api/session.ts';
import { type Made, NewAgent } from '../home/new-agent.tsx';

export default function AddAgent() {
  const made = useSignal<Made | null>(null);
  return (
    <>
      <h1>Add an agent</h1>
      {mayWrite() ? (
        <NewAgent made={made} />
      ) : (
        <Empty title="Viewers cannot create credentials. Contact an admin." />
      )}
    </>
  );
}
