/** A field whose text is a value of the address. It takes effect at Enter, so that each search is one request. */
import { query, setQuery } from '../router.ts';

interface SearchParts {
  readonly label: string;
  /** Name of the value in the address. */
  readonly name: string;
}

export function Search({ label, name }: SearchParts) {
  return (
    <input
      type="search"
      aria-label={label}
      placeholder="Search, then Enter"
      value={query.value.get(name) ?? ''}
      onChange={(event) => setQuery({ [name]: event.currentTarget.value.trim() })}
    />
  );
}
