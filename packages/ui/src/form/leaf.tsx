/** The control of a single value: text, number, choice, yes or no, an id. */
import { type Field, textOf, valueFrom } from './controls.ts';
import { IdPicker } from './id-picker.tsx';
import type { FieldParts } from './parts.tsx';
import { change, valueAt } from './state.ts';

export interface LeafParts extends FieldParts {
  readonly id: string;
  readonly hasError: boolean;
  /** Label for screen readers; absent: a label element has it. */
  readonly label?: string;
}

export function Leaf(parts: LeafParts) {
  const { form, field, steps } = parts;
  const { control } = field;
  const shared = {
    id: parts.id,
    disabled: form.isEdit && field.isImmutable,
    'aria-invalid': parts.hasError,
    'aria-describedby': `${parts.id}-notes`,
    'aria-label': parts.label,
  };
  const value = valueAt(form, steps);
  const text = textOf(control, value);
  const set = (to: string) => change(form, steps, isAbsent(parts, to) ? undefined : valueFrom(control, to));
  switch (control.type) {
    case 'choice':
      return (
        <select {...shared} value={text} onChange={(event) => set(event.currentTarget.value)}>
          {!field.isRequired && <option value="">{standardOf(field)}</option>}
          {field.isRequired && text === '' && <option value="">choose</option>}
          {control.values
            .filter((one) => one !== '')
            .map((one) => (
              <option key={String(one)} value={String(one)}>
                {String(one)}
              </option>
            ))}
        </select>
      );
    case 'boolean':
      return (
        <input
          {...shared}
          type="checkbox"
          checked={value === undefined ? field.standard === true : value === true}
          onChange={(event) => set(String(event.currentTarget.checked))}
        />
      );
    case 'id':
      return <IdPicker {...shared} form={form} kinds={control.kinds} value={text} set={set} />;
    case 'multiline':
    case 'json':
      return (
        <textarea
          {...shared}
          class={field.isSecret ? 'concealed' : ''}
          rows={Math.min(12, Math.max(2, text.split('\n').length))}
          spellcheck={false}
          autocomplete="off"
          placeholder={field.example}
          value={text}
          onInput={(event) => set(event.currentTarget.value)}
        />
      );
    default:
      return (
        <input
          {...shared}
          {...(field.isSecret ? SECRET : PLAIN)}
          inputMode={control.type === 'number' ? 'numeric' : 'text'}
          spellcheck={false}
          placeholder={field.example || standardText(field)}
          value={text}
          onInput={(event) => set(event.currentTarget.value)}
        />
      );
  }
}

const SECRET = { type: 'password', autocomplete: 'new-password' } as const;
const PLAIN = { type: 'text', autocomplete: 'off' } as const;

/** An empty field of a new resource is not sent. */
function isAbsent({ field }: LeafParts, text: string): boolean {
  return text === '' && !field.isRequired;
}

function standardOf(field: Field): string {
  const text = standardText(field);
  return text === '' ? 'default' : `default: ${text}`;
}

function standardText({ standard }: Field): string {
  return standard === undefined || standard === null || typeof standard === 'object' ? '' : String(standard);
}
