/** Parts of every field: a title, marks, an explanation and an error. */
import type { Field } from './controls.ts';
import type { Steps } from './pointer.ts';
import { Prose } from './prose.tsx';
import type { FormState } from './state.ts';

export interface FieldParts {
  readonly form: FormState;
  readonly field: Field;
  /** The place of the value. */
  readonly steps: Steps;
}

/** The name in words. */
export function titleOf({ name }: Field): string {
  return name.replaceAll('_', ' ');
}

export function Marks({ field }: { field: Field }) {
  return (
    <>
      {field.isRequired && <span class="mark strong">required</span>}
      {field.isImmutable && <span class="mark">fixed later</span>}
      {field.isSecret && <span class="mark">never shown</span>}
    </>
  );
}

export function Notes({ id, description, error }: { id: string; description: string; error: string }) {
  return (
    <div id={`${id}-notes`}>
      {error !== '' && <p class="fault">{error}</p>}
      {description !== '' && (
        <p class="remark">
          <Prose text={description} />
        </p>
      )}
    </div>
  );
}
