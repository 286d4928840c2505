/** A modal dialog. The browser keeps the focus in it, and returns the focus at its end. */
import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';

interface DialogParts {
  readonly title: string;
  readonly close: () => void;
  readonly children: ComponentChildren;
}

export function Dialog({ title, close, children }: DialogParts) {
  const element = useRef<HTMLDialogElement>(null);
  useLayoutEffect(() => {
    element.current?.showModal();
  }, []);
  return (
    <dialog ref={element} aria-label={title} onClose={close}>
      <header>
        <h2>{title}</h2>
        <button type="button" onClick={() => element.current?.close()}>
          Close
        </button>
      </header>
      {children}
    </dialog>
  );
}
