/** The page of the inspector. */
import { attempt, problem } from '@underpass/ui/attempt.ts';
import { CopyStatus } from '@underpass/ui/copy.tsx';
import { ProblemLine } from '@underpass/ui/problem.tsx';
import { render } from 'preact';
import { clear, getBlob, importHar } from './api.ts';
import { Details } from './details.tsx';
import { onKey } from './keyboard.ts';
import { List } from './list.tsx';
import { follow, isLive, isShut, readAddress, selected, status, view } from './state.ts';
import { Status } from './status.tsx';

function Page() {
  return isShut.value ? <Shut /> : <Open />;
}

/** The page for a visitor that the agent does not recognise as its own user. */
function Shut() {
  return (
    <main class="shut">
      <h1>Underpass</h1>
      <p>
        This page shows itself to the user who runs the agent. Open the address that the agent has printed.
      </p>
      <p>
        Other users of this machine need the token, too, and so do systems that do not report the user of a
        connection. <code>underpass … --json</code> prints it. Then open{' '}
        <code>{`${location.origin}/#token=TOKEN`}</code>.
      </p>
    </main>
  );
}

function Open() {
  const isStatus = view.value === 'status';
  return (
    <>
      <header class="top">
        <h1>Underpass</h1>
        <SessionState />
        <nav aria-label="Views">
          <a href="#requests" aria-current={!isStatus}>
            Requests
          </a>
          <a href="#status" aria-current={isStatus}>
            Status
          </a>
        </nav>
        <Actions />
      </header>
      <ProblemLine />
      {isStatus ? (
        <main>
          <Status />
        </main>
      ) : (
        <main class={selected.value === null ? 'split' : 'split chosen'}>
          <List />
          <Details />
        </main>
      )}
      <CopyStatus />
    </>
  );
}

function SessionState() {
  const state = isLive.value ? (status.value?.session.state ?? 'connecting') : 'agent gone';
  return <span class={state === 'online' ? 'status s2' : 'status s5'}>{state}</span>;
}

function Actions() {
  return (
    <div class="actions">
      <button type="button" onClick={() => void attempt(saveHar)}>
        Save HAR
      </button>
      <label class="button">
        Open HAR
        <input
          type="file"
          accept=".har,application/json"
          onChange={(event) => {
            const [file] = event.currentTarget.files ?? [];
            event.currentTarget.value = '';
            if (file !== undefined) void attempt(() => openHar(file));
          }}
        />
      </label>
      <button type="button" onClick={() => void attempt(clear)}>
        Clear
      </button>
    </div>
  );
}

async function openHar(file: Blob): Promise<void> {
  const { leftOut } = await importHar(file);
  if (leftOut > 0) problem.value = `${leftOut} entries of the file are left out: they are not HTTP requests.`;
}

async function saveHar(): Promise<void> {
  const url = URL.createObjectURL(await getBlob('har'));
  const link = document.createElement('a');
  link.href = url;
  link.download = 'requests.har';
  link.click();
  URL.revokeObjectURL(url);
}

window.addEventListener('hashchange', () => {
  // Of the address with a token, into a tab that is here already.
  if (location.hash.startsWith('#token=')) location.reload();
  else readAddress();
});
window.addEventListener('keydown', onKey);
readAddress();
render(<Page />, document.body);
void follow();
