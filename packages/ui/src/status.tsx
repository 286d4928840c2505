/** A status in the colour of its class. Its text has the same meaning without the colour. */
import type { ComponentChildren } from 'preact';

interface StatusParts {
  /** 1 to 5: first digit of an HTTP status. `none`: no response. */
  readonly kind: string | number;
  readonly title?: string | undefined;
  readonly children: ComponentChildren;
}

export function Status({ kind, title, children }: StatusParts) {
  return (
    <span class={`status s${kind}`} title={title}>
      {children}
    </span>
  );
}
