/** The filter of a list, in the language of the API. Its error appears at the field. */
import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';

interface FilterParts {
  readonly filter: string;
  /** Reason why the API refused it; '' for none. */
  readonly fault: string;
  /** Called when the user has finished a filter. */
  readonly set: (filter: string) => void;
}

export function FilterField({ filter, fault, set }: FilterParts) {
  const draft = useSignal(filter);
  useEffect(() => {
    draft.value = filter;
  }, [filter]);
  return (
    <form
      class="filter"
      onSubmit={(event) => {
        event.preventDefault();
        set(draft.value.trim());
      }}
    >
      <input
        type="text"
        aria-label="Filter"
        placeholder="Filter: created_at >= 2026-01-31"
        spellcheck={false}
        autocomplete="off"
        aria-invalid={fault !== ''}
        aria-describedby="filter-fault"
        value={draft.value}
        onInput={(event) => (draft.value = event.currentTarget.value)}
        onChange={() => set(draft.value.trim())}
      />
      <p id="filter-fault" class="fault" role="alert">
        {fault}
      </p>
    </form>
  );
}
