/** States of a list or page without content: loading, empty, failed. Each names the next step. */
import type { ComponentChildren } from 'preact';
import { Copy } from './copy.tsx';

export function Loading({ what }: { what: string }) {
  return (
    <p class="nothing" aria-busy="true">
      Loading {what}…
    </p>
  );
}

interface EmptyParts {
  readonly title: string;
  /** The command that changes the state; absent: there is none. */
  readonly command?: string;
  readonly children?: ComponentChildren;
}

export function Empty({ title, command, children }: EmptyParts) {
  return (
    <div class="empty">
      <p>{title}</p>
      {command !== undefined && (
        <p class="command">
          <code>{command}</code> <Copy what="command" text={command} />
        </p>
      )}
      {children}
    </div>
  );
}

interface FailureParts {
  /** The message of the error, with the code of the service if there is one. */
  readonly error: { readonly message: string; readonly code?: string };
  readonly retry?: () => void;
}

export function Failure({ error, retry }: FailureParts) {
  return (
    <div class="empty failure" role="alert">
      <p>{error.message}</p>
      {error.code !== undefined && error.code !== '' && <p class="remark">{error.code}</p>}
      {retry !== undefined && (
        <button type="button" onClick={retry}>
          Try again
        </button>
      )}
    </div>
  );
}
