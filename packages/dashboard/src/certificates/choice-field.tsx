/** A list of selections. The address of the page keeps the chosen one. */
import { query, setQuery } from '../router.ts';

interface ChoiceParts {
  readonly label: string;
  /** Name of the value in the address. */
  readonly name: string;
  readonly choices: Readonly<Record<string, { readonly label: string }>>;
}

export function ChoiceField({ label, name, choices }: ChoiceParts) {
  return (
    <select
      aria-label={label}
      value={query.value.get(name) ?? ''}
      onChange={(event) => setQuery({ [name]: event.currentTarget.value })}
    >
      {Object.entries(choices).map(([value, { label: text }]) => (
        <option key={value} value={value}>
          {text}
        </option>
      ))}
    </select>
  );
}
