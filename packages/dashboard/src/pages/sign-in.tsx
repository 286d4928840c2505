/** Sign-in: one field. A link from the command line needs none. */
import { useSignal } from '@preact/signals';
import { Copy } from '@underpass/ui/copy.tsx';
import { decideLink, otherLink, refusedLink, signIn } from '../api/session.ts';

/** Host of the provider at which users sign in; '' for none. */
const PROVIDER = document.querySelector<HTMLMetaElement>('meta[name=sign-in-host]')?.content ?? '';

const COMMANDS = ['underpass dashboard', 'underpassd console link'] as const;

/** A link of another user must not replace the session unnoticed: an attacker could have sent it. */
function OtherLink() {
  return (
    <main class="sign-in">
      <h1>Underpass</h1>
      <p role="alert">
        The link signs in another user than the one who is signed in here. Use it only if you made it, or
        trust its sender.
      </p>
      <p>
        <button type="button" class="primary" onClick={() => void decideLink('stay')}>
          Stay signed in
        </button>{' '}
        <button type="button" onClick={() => void decideLink('use')}>
          Sign in with the link
        </button>
      </p>
    </main>
  );
}

export function SignIn() {
  return otherLink.value === '' ? <Proofs /> : <OtherLink />;
}

function Proofs() {
  const value = useSignal('');
  const fault = useSignal('');
  const isBusy = useSignal(false);
  const submit = async (event: Event) => {
    event.preventDefault();
    isBusy.value = true;
    fault.value = '';
    try {
      await signIn({ api_key: value.value.trim() });
    } catch (error) {
      fault.value = error instanceof Error ? error.message : String(error);
    } finally {
      isBusy.value = false;
    }
  };
  return (
    <main class="sign-in">
      <h1>Underpass</h1>
      {PROVIDER !== '' && (
        <p>
          {/* The server answers this path: a target keeps it from the router of the pages. */}
          <a class="button primary" href="/ui/oidc" target="_self">
            Sign in with {PROVIDER}
          </a>
        </p>
      )}
      <form onSubmit={(event) => void submit(event)}>
        <label>
          API key
          <input
            type="password"
            autocomplete="off"
            spellcheck={false}
            required
            autofocus
            aria-describedby="sign-in-fault"
            aria-invalid={fault.value !== ''}
            value={value.value}
            onInput={(event) => (value.value = event.currentTarget.value)}
          />
        </label>
        <button type="submit" class="primary" disabled={isBusy.value}>
          Sign in
        </button>
        <p id="sign-in-fault" class="fault" role="alert">
          {fault.value || refusedLink.value}
        </p>
      </form>
      <h2>Or open a link</h2>
      <p>A command prints a link that signs you in once, within 10 minutes:</p>
      {COMMANDS.map((command) => (
        <p key={command} class="command">
          <code>{command}</code> <Copy what="command" text={command} />
        </p>
      ))}
    </main>
  );
}
