/** Lists and maps: a row for each element, and a button that adds one. */
import type { ComponentType } from 'preact';
import { type Control, emptyOf, type Field } from './controls.ts';
import { IdPicker } from './id-picker.tsx';
import { Leaf } from './leaf.tsx';
import type { Json } from './openapi.ts';
import { type FieldParts, Notes, titleOf } from './parts.tsx';
import { pointerOf } from './pointer.ts';
import { change, errorAt, valueAt } from './state.ts';

interface ListParts extends FieldParts {
  readonly item: Field;
  /** Shows an element that is no single value. */
  readonly Inner: ComponentType<FieldParts>;
}

export function ListView({ form, field, steps, item, Inner }: ListParts) {
  const value = valueAt(form, steps);
  const all = Array.isArray(value) ? value : [];
  const id = `${form.id}${pointerOf(steps)}`;
  const title = titleOf(field);
  const isLeaf = item.control.type !== 'group' && item.control.type !== 'list' && item.control.type !== 'map';
  const remove = (at: number) => {
    const left = all.filter((_, index) => index !== at);
    change(form, steps, left.length === 0 && !field.isRequired ? undefined : left);
  };
  return (
    <fieldset class="form-group" aria-describedby={`${id}-notes`}>
      <legend>
        {title} {field.isRequired && <span class="mark strong">required</span>}
      </legend>
      <Notes id={id} description={field.description} error={errorAt(form, steps, false)} />
      {all.map((_, at) => {
        const place = [...steps, at];
        const name = `${title} ${at + 1}`;
        const inner = { ...item, name };
        const error = errorAt(form, place, isLeaf);
        return (
          <div class="form-row" key={at}>
            {isLeaf ? (
              <div>
                <Leaf
                  form={form}
                  field={inner}
                  steps={place}
                  id={`${id}/${at}`}
                  hasError={error !== ''}
                  label={name}
                />
                <Notes id={`${id}/${at}`} description="" error={error} />
              </div>
            ) : (
              <Inner form={form} field={inner} steps={place} />
            )}
            <button type="button" onClick={() => remove(at)} aria-label={`Remove ${name}`}>
              Remove
            </button>
          </div>
        );
      })}
      <button type="button" onClick={() => change(form, steps, [...all, emptyOf(item.control)])}>
        Add {title.replace(/s$/, '')}
      </button>
    </fieldset>
  );
}

interface MapParts extends FieldParts {
  readonly map: Extract<Control, { type: 'map' }>;
}

/** A name is edited without moving its row. */
export function MapView({ form, field, steps, map }: MapParts) {
  const value = valueAt(form, steps);
  const entries = isMap(value) ? Object.entries(value) : [];
  const id = `${form.id}${pointerOf(steps)}`;
  const title = titleOf(field);
  const put = (next: readonly (readonly [string, Json])[]) =>
    change(form, steps, next.length === 0 && !field.isRequired ? undefined : Object.fromEntries(next));
  const rename = (at: number, name: string) => {
    if (entries.some(([other], index) => index !== at && other === name)) return;
    put(entries.map((entry, index) => (index === at ? [name, entry[1]] : entry)));
  };
  return (
    <fieldset class="form-group" aria-describedby={`${id}-notes`}>
      <legend>
        {title} {field.isRequired && <span class="mark strong">required</span>}
      </legend>
      <Notes id={id} description={field.description} error={errorAt(form, steps, false)} />
      {entries.map(([name], at) => (
        <div class="form-row" key={at}>
          <NameField
            {...{ form, map, name, id: `${id}-name-${at}` }}
            rename={(to) => rename(at, to)}
            label={`${title} ${at + 1}, name`}
          />
          <Leaf
            form={form}
            field={map.value}
            steps={[...steps, name]}
            id={`${id}-value-${at}`}
            hasError={errorAt(form, [...steps, name], true) !== ''}
            label={`${title} ${at + 1}, value`}
          />
          <button
            type="button"
            onClick={() => put(entries.filter((_, index) => index !== at))}
            aria-label={`Remove ${title} ${at + 1}`}
          >
            Remove
          </button>
        </div>
      ))}
      <button
        type="button"
        disabled={entries.some(([name]) => name === '')}
        onClick={() => put([...entries, ['', emptyOf(map.value.control)]])}
      >
        Add {title.replace(/s$/, '')}
      </button>
    </fieldset>
  );
}

interface NameParts extends Pick<MapParts, 'form' | 'map'> {
  readonly name: string;
  readonly id: string;
  readonly label: string;
  readonly rename: (to: string) => void;
}

function NameField({ form, map, name, id, label, rename }: NameParts) {
  const { control } = map.key;
  if (control.type === 'id')
    return (
      <IdPicker form={form} kinds={control.kinds} value={name} set={rename} id={id} aria-label={label} />
    );
  return (
    <input
      id={id}
      aria-label={label}
      spellcheck={false}
      autocomplete="off"
      value={name}
      onInput={(event) => rename(event.currentTarget.value)}
    />
  );
}

function isMap(value: Json | undefined): value is { [key: string]: Json } {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
