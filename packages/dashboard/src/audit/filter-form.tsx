/** The filters of the audit trail. Each is a value of the address. */
import { COLLECTIONS } from '../api/collections.ts';
import { query, setQuery } from '../router.ts';
import { FILTERS, type Filter, fieldOfTime, timeOfField } from './filters.ts';

const KINDS = Object.keys(COLLECTIONS).sort();
const ACTOR_TYPES = ['user', 'bot_user', 'operator', 'daemon'] as const;

export function FilterForm() {
  const isSet = FILTERS.some((name) => query.value.has(name));
  const clear = () => setQuery(Object.fromEntries(FILTERS.map((name) => [name, null])));
  return (
    <form class="filters" aria-label="Filters" onSubmit={(event) => event.preventDefault()}>
      <Choice label="Kind" name="kind" values={KINDS} />
      <Text label="Resource id" name="resource_id" />
      <Choice label="Actor" name="actor_type" values={ACTOR_TYPES} />
      <Text label="Actor id" name="actor_id" />
      <Text label="Action" name="action" />
      <Time label="From" name="since" />
      <Time label="Before" name="until" />
      {isSet && (
        <button type="button" onClick={clear}>
          Clear filters
        </button>
      )}
    </form>
  );
}

interface FieldParts {
  readonly label: string;
  readonly name: Filter;
}

function Choice({ label, name, values }: FieldParts & { values: readonly string[] }) {
  return (
    <label>
      {label}
      <select
        value={query.value.get(name) ?? ''}
        onChange={(event) => setQuery({ [name]: event.currentTarget.value })}
      >
        <option value="">all</option>
        {values.map((value) => (
          <option key={value} value={value}>
            {value.replaceAll('_', ' ')}
          </option>
        ))}
      </select>
    </label>
  );
}

function Text({ label, name }: FieldParts) {
  return (
    <label>
      {label}
      <input
        value={query.value.get(name) ?? ''}
        placeholder={name === 'action' ? 'deleted' : ''}
        onChange={(event) => setQuery({ [name]: event.currentTarget.value.trim() })}
      />
    </label>
  );
}

function Time({ label, name }: FieldParts) {
  return (
    <label class="time">
      {label}
      <input
        type="datetime-local"
        value={fieldOfTime(query.value.get(name) ?? '')}
        onChange={(event) => setQuery({ [name]: timeOfField(event.currentTarget.value) })}
      />
    </label>
  );
}
