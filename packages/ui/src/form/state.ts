/** The state of one form: its value as JSON, and the error of the last attempt. */
import { type Signal, signal } from '@preact/signals';
import type { Json } from './openapi.ts';
import { getAt, pointerOf, type Steps, setAt } from './pointer.ts';
import type { Reference } from './reference.ts';

export interface FormError {
  readonly message: string;
  /** JSON pointer to the field; '' for the whole form. */
  readonly field: string;
  readonly code?: string;
}

/** A resource that a field can refer to. */
export interface Choice {
  readonly id: string;
  /** A name for people; '' for none. */
  readonly name: string;
}

export interface FormState {
  readonly reference: Reference;
  readonly value: Signal<Json | undefined>;
  readonly error: Signal<FormError | null>;
  /** True for a form that changes a resource: immutable fields are shown only. */
  readonly isEdit: boolean;
  /** Looks up what a field can refer to. Never rejects. */
  readonly choices: (kinds: readonly string[]) => Promise<readonly Choice[]>;
  /** Prefix of the ids of its elements, unique in the page. */
  readonly id: string;
}

export type FormOptions = Omit<FormState, 'value' | 'error'> & { readonly start: Json | undefined };

export function newForm({ start, ...others }: FormOptions): FormState {
  return { ...others, value: signal(start), error: signal(null) };
}

export function valueAt({ value }: FormState, steps: Steps): Json | undefined {
  return getAt(value.value, steps);
}

/** Undefined removes the value. */
export function change(form: FormState, steps: Steps, to: Json | undefined): void {
  form.value.value = setAt(form.value.value, steps, to);
}

/** The error at exactly this place; '' for none. A field without a control shows its error at the one above it. */
export function errorAt({ error }: FormState, steps: Steps, isLeaf: boolean): string {
  const { value } = error;
  if (value === null || value.field === '') return '';
  const pointer = pointerOf(steps);
  const isHere = value.field === pointer || (isLeaf && value.field.startsWith(`${pointer}/`));
  return isHere ? value.message : '';
}
