/** The id of another resource: typed, or chosen from those that there are. */
import { useSignal } from '@preact/signals';
import type { Choice, FormState } from './state.ts';

interface IdPickerParts {
  readonly form: FormState;
  readonly kinds: readonly string[];
  readonly value: string;
  readonly set: (id: string) => void;
  readonly id: string;
  readonly disabled?: boolean;
  readonly 'aria-invalid'?: boolean;
  readonly 'aria-describedby'?: string;
  readonly 'aria-label'?: string | undefined;
}

/** Choices are looked up when the field gets the focus. */
export function IdPicker({ form, kinds, value, set, ...attributes }: IdPickerParts) {
  const choices = useSignal<readonly Choice[]>([]);
  const list = `${attributes.id}-choices`;
  const look = async () => {
    choices.value = await form.choices(kinds);
  };
  const name = choices.value.find(({ id }) => id === value)?.name ?? '';
  const one = kinds.map((kind) => form.reference.document['x-kinds'][kind]?.one ?? kind).join(' or ');
  return (
    <span class="id-picker">
      <input
        {...attributes}
        type="text"
        list={list}
        spellcheck={false}
        autocomplete="off"
        placeholder={`id of ${one}`}
        value={value}
        onFocus={() => void look()}
        onInput={(event) => set(event.currentTarget.value)}
      />
      <datalist id={list}>
        {choices.value.map((choice) => (
          <option key={choice.id} value={choice.id}>
            {choice.name}
          </option>
        ))}
      </datalist>
      {name !== '' && <span class="remark">{name}</span>}
    </span>
  );
}
