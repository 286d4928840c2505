/** One field: its label, control, explanation and error. */
import { type Control, emptyOf } from './controls.ts';
import { Leaf } from './leaf.tsx';
import { type FieldParts, Marks, Notes, titleOf } from './parts.tsx';
import { pointerOf } from './pointer.ts';
import { ListView, MapView } from './several.tsx';
import { change, errorAt, valueAt } from './state.ts';

export function FieldView(parts: FieldParts) {
  const { form, field, steps } = parts;
  const { control } = field;
  if (control.type === 'group') return <GroupView {...parts} control={control} />;
  if (control.type === 'list') return <ListView {...parts} item={control.item} Inner={FieldView} />;
  if (control.type === 'map') return <MapView {...parts} map={control} />;
  const id = `${form.id}${pointerOf(steps)}`;
  const error = errorAt(form, steps, true);
  return (
    <div class="form-field">
      <label for={id}>
        {titleOf(field)} <Marks field={field} />
      </label>
      <Leaf {...parts} id={id} hasError={error !== ''} />
      <Notes id={id} description={field.description} error={error} />
    </div>
  );
}

interface GroupParts extends FieldParts {
  readonly control: Extract<Control, { type: 'group' }>;
}

/** A group that is not required has a switch: off means that it is not sent. */
function GroupView({ form, field, steps, control }: GroupParts) {
  const isThere = valueAt(form, steps) !== undefined;
  const isShown = isThere || field.isRequired;
  const id = `${form.id}${pointerOf(steps)}`;
  const toggle = () => change(form, steps, isThere ? undefined : startOf(control));
  return (
    <fieldset class="form-group" aria-describedby={`${id}-notes`}>
      <legend>
        {field.isRequired ? (
          titleOf(field)
        ) : (
          <label>
            <input type="checkbox" role="switch" aria-checked={isThere} checked={isThere} onChange={toggle} />{' '}
            {titleOf(field)}
          </label>
        )}{' '}
        <Marks field={field} />
      </legend>
      <Notes id={id} description={field.description} error={errorAt(form, steps, false)} />
      {isShown &&
        (control.isOneOf ? (
          <OneOf {...{ form, steps, control }} />
        ) : (
          <Fields {...{ form, steps, control }} />
        ))}
    </fieldset>
  );
}

function startOf({ fields, isOneOf }: GroupParts['control']) {
  const [first] = fields;
  return isOneOf && first !== undefined ? { [first.name]: emptyOf(first.control) } : {};
}

type InnerParts = Pick<GroupParts, 'form' | 'steps' | 'control'>;

function Fields({ form, steps, control }: InnerParts) {
  return control.fields.map((field) => (
    <FieldView key={field.name} form={form} field={field} steps={[...steps, field.name]} />
  ));
}

/** A group of which exactly one field has a value. */
function OneOf({ form, steps, control }: InnerParts) {
  const { fields } = control;
  const chosen = fields.find(({ name }) => valueAt(form, [...steps, name]) !== undefined) ?? null;
  const choose = (name: string) => {
    const field = fields.find((it) => it.name === name);
    change(form, steps, field === undefined ? {} : { [name]: emptyOf(field.control) });
  };
  return (
    <>
      <label>
        one of{' '}
        <select value={chosen?.name ?? ''} onChange={(event) => choose(event.currentTarget.value)}>
          <option value="">choose</option>
          {fields.map((field) => (
            <option key={field.name} value={field.name}>
              {titleOf(field)}
            </option>
          ))}
        </select>
      </label>
      {chosen !== null && (
        <FieldView
          key={chosen.name}
          form={form}
          field={{ ...chosen, isRequired: true }}
          steps={[...steps, chosen.name]}
        />
      )}
    </>
  );
}
