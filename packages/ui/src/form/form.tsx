/** A form made from a schema of the OpenAPI document, or the same value as JSON. */
import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useEffect, useMemo, useRef } from 'preact/hooks';
import { fieldsOf } from './controls.ts';
import { FieldView } from './field.tsx';
import type { Json, Schema } from './openapi.ts';
import type { FormState } from './state.ts';

interface SchemaFormParts {
  readonly form: FormState;
  readonly schema: Schema;
  readonly startsAs?: 'form' | 'json';
  /** Called with the value, if it is well-formed. */
  readonly submit: (value: Json) => void;
  /** Buttons and other parts below the fields. */
  readonly children: ComponentChildren;
  readonly label: string;
  /** Shown above the fields. */
  readonly above?: ComponentChildren;
  readonly isBusy?: boolean;
}

export function SchemaForm(parts: SchemaFormParts) {
  const { form, schema, startsAs = 'form', submit, children, label, above, isBusy = false } = parts;
  const view = useSignal(startsAs);
  const element = useRef<HTMLFormElement>(null);
  const fields = useMemo(() => fieldsOf(form.reference, schema), [form, schema]);
  const { value: error } = form.error;
  useEffect(() => {
    if (error !== null) element.current?.querySelector<HTMLElement>('[aria-invalid=true]')?.focus();
  }, [error]);
  const send = (event: Event) => {
    event.preventDefault();
    submit(form.value.value ?? {});
  };
  return (
    <form
      ref={element}
      class="schema-form"
      aria-label={label}
      aria-busy={isBusy || undefined}
      noValidate
      onSubmit={send}
    >
      {above}
      <p class="views">
        {(['form', 'json'] as const).map((name) => (
          <button
            key={name}
            type="button"
            aria-pressed={view.value === name}
            onClick={() => (view.value = name)}
          >
            {name === 'form' ? 'Form' : 'JSON'}
          </button>
        ))}
      </p>
      {view.value === 'json' ? (
        <JsonView form={form} />
      ) : (
        fields.map((field) => <FieldView key={field.name} form={form} field={field} steps={[field.name]} />)
      )}
      {error !== null && (
        <p class="fault" role="alert">
          {error.message} {error.code !== undefined && <span class="remark">{error.code}</span>}
        </p>
      )}
      {children}
    </form>
  );
}

const ROWS_MAX = 24;

/** The value as text. A text that is no JSON is sent as it is, and the API refuses it. */
function JsonView({ form }: { form: FormState }) {
  const { value } = form.value;
  const text = useSignal(typeof value === 'string' ? value : JSON.stringify(value ?? {}, null, 2));
  useEffect(() => {
    if (JSON.stringify(parsed(text.value)) === JSON.stringify(value ?? {})) return;
    text.value = typeof value === 'string' ? value : JSON.stringify(value ?? {}, null, 2);
  }, [value]);
  return (
    <label class="json-view">
      body
      <textarea
        spellcheck={false}
        autocomplete="off"
        rows={Math.min(ROWS_MAX, text.value.split('\n').length + 1)}
        value={text.value}
        onInput={(event) => {
          text.value = event.currentTarget.value;
          form.value.value = parsed(text.value);
        }}
      />
    </label>
  );
}

function parsed(text: string): Json {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return text;
  }
}
