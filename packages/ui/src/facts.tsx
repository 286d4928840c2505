/** Facts by name, in as many columns as fit. */
import type { ComponentChildren } from 'preact';
import { Copy } from './copy.tsx';

export interface Fact {
  readonly name: string;
  readonly value: ComponentChildren;
  /** Text of a button that copies it. Absent: there is no button. */
  readonly copied?: string;
  /** Name of what is copied. */
  readonly what?: string;
}

export function Facts({ facts }: { facts: readonly Fact[] }) {
  return (
    <dl class="facts">
      {facts.map(({ name, value, copied = '', what = name }) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>
            {value || '—'} {copied !== '' && <Copy what={what} text={copied} />}
          </dd>
        </div>
      ))}
    </dl>
  );
}
