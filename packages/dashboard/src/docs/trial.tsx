/** A form to try an operation, filled in with values that work. */
import { type Signal, useSignal } from '@preact/signals';
import { fillIn } from '@underpass/ui/form/examples.ts';
import { SchemaForm } from '@underpass/ui/form/form.tsx';
import type { Json, Operation, Parameter } from '@underpass/ui/form/openapi.ts';
import type { Reference } from '@underpass/ui/form/reference.ts';
import type { ApiCall } from '@underpass/ui/form/snippets.ts';
import { newForm } from '@underpass/ui/form/state.ts';
import { useEffect, useMemo } from 'preact/hooks';
import { Snippets } from '../resources/snippets.tsx';
import { type Answer, apiKey, findId, knownId, learn, sendCall } from './calls.ts';

interface TrialParts {
  readonly reference: Reference;
  readonly operation: Operation;
}

type Shown =
  | { readonly type: 'none' | 'waiting' }
  | { readonly type: 'fault'; readonly text: string }
  | { readonly type: 'answer'; readonly answer: Answer };

const NO_KEY = 'Type in an API key at the top of the page first.';

export function Trial({ reference, operation }: TrialParts) {
  const { parameters, body } = operation;
  const values = useSignal<Readonly<Record<string, string>>>(valuesOf(parameters, {}));
  const start = useMemo(() => exampleOf(operation), [operation]);
  const form = useMemo(() => newTrial(reference, operation, start), [operation]);
  const notice = useSignal('');
  const shown = useSignal<Shown>({ type: 'none' });
  const isBusy = useSignal(false);
  const kinds = kindsIn(operation);

  const lookUp = async () => {
    if (apiKey.value === '') {
      notice.value = NO_KEY;
      return;
    }
    isBusy.value = true;
    const missing = await missingOf(reference, kinds);
    values.value = valuesOf(parameters, values.value);
    if (JSON.stringify(form.value.value) === JSON.stringify(start)) form.value.value = exampleOf(operation);
    notice.value = missing.length === 0 ? '' : `There is none yet: create ${missing.join(', and ')} first.`;
    isBusy.value = false;
  };
  useEffect(() => {
    if (kinds.length > 0 && apiKey.value !== '') void lookUp();
  }, []);

  const call = () => callOf(operation, values.value, body === null ? null : form.value.value);
  const submit = () => {
    notice.value = apiKey.value === '' ? NO_KEY : '';
    if (notice.value === '') void sendAndShow(reference, operation, call(), shown);
  };
  const below = (
    <>
      <div class="buttons">
        <button type="submit" class="primary">
          Send
        </button>
        {kinds.length > 0 && (
          <button type="button" onClick={() => void lookUp()}>
            Find ids
          </button>
        )}
      </div>
      <p class="notice" role="status">
        {notice.value}
      </p>
      <Result shown={shown.value} />
      {typeof form.value.value !== 'string' && (
        <Snippets
          {...{ reference, operation, path: call().url }}
          values={parameters
            .filter(({ in: place }) => place === 'path')
            .map(({ name }) => trimmed(values.value, name))}
          query={queryOf(operation, values.value)}
          body={body === null ? null : (form.value.value ?? {})}
        />
      )}
    </>
  );
  const inputs = <Inputs parameters={parameters} values={values} />;
  return (
    <div class="trial">
      <h4>Try it</h4>
      {body === null ? (
        <form
          aria-busy={isBusy.value || undefined}
          aria-label={operation.summary}
          onSubmit={(event) => {
            event.preventDefault();
            submit();
          }}
        >
          {inputs}
          {below}
        </form>
      ) : (
        <SchemaForm
          {...{ form, submit }}
          schema={body.schema}
          startsAs="json"
          label={operation.summary}
          isBusy={isBusy.value}
          above={inputs}
        >
          {below}
        </SchemaForm>
      )}
    </div>
  );
}

interface InputParts {
  readonly parameters: readonly Parameter[];
  readonly values: Signal<Readonly<Record<string, string>>>;
}

function Inputs({ parameters, values }: InputParts) {
  return parameters.map(({ name, required, schema }) => (
    <label key={name}>
      {name}
      <input
        value={values.value[name] ?? ''}
        placeholder={schema.default === undefined ? '' : String(schema.default)}
        autocomplete="off"
        spellcheck={false}
        required={required === true}
        onInput={(event) => (values.value = { ...values.value, [name]: event.currentTarget.value })}
      />
    </label>
  ));
}

function Result({ shown }: { shown: Shown }) {
  return (
    <div class="result" aria-live="polite">
      {shown.type === 'waiting' && <p class="quiet">…</p>}
      {shown.type === 'fault' && <p class="bad">{shown.text}</p>}
      {shown.type === 'answer' && <AnswerView answer={shown.answer} />}
    </div>
  );
}

/** Headers that are worth a line. */
const SHOWN_HEADERS = ['underpass-operation-id', 'retry-after', 'allow'];

function AnswerView({ answer: { status, statusText, ms, headers, text, json } }: { answer: Answer }) {
  const worth = SHOWN_HEADERS.flatMap((name) => {
    const value = headers.get(name);
    return value === null ? [] : [`${name}: ${value}`];
  });
  const body = json === null ? text : JSON.stringify(json, null, 2);
  return (
    <>
      <p class={status < 300 ? 'good' : 'bad'}>
        {status} {statusText}, {ms} ms
      </p>
      <p class="quiet">{worth.join(' · ')}</p>
      {body !== '' && <pre>{body}</pre>}
    </>
  );
}

async function sendAndShow(
  reference: Reference,
  operation: Operation,
  call: ApiCall,
  shown: Signal<Shown>,
): Promise<void> {
  shown.value = { type: 'waiting' };
  try {
    const answer = await sendCall(reference, call);
    learn(reference, operation, answer, call.url);
    shown.value = { type: 'answer', answer };
  } catch (error) {
    shown.value = { type: 'fault', text: `There was no answer: ${String(error)}` };
  }
}

function newTrial(reference: Reference, operation: Operation, start: Json) {
  return newForm({
    ...{ reference, start, isEdit: false, id: `try-${operation.id}` },
    choices: async (kinds) => {
      const id = apiKey.value === '' ? null : await findId(reference, kinds).catch(() => null);
      return id === null ? [] : [{ id, name: '' }];
    },
  });
}

function exampleOf({ body }: Operation): Json {
  return fillIn(body?.example ?? {}, body?.['x-example-ids'] ?? [], knownId).body;
}

/** The given values; examples and known ids in the place of empty ones. */
function valuesOf(parameters: readonly Parameter[], given: Readonly<Record<string, string>>) {
  const entries = parameters.map(({ name, schema }) => {
    const known = knownId(schema['x-refers-to'] ?? []) ?? String(schema.examples?.[0] ?? '');
    return [name, given[name] || known] as const;
  });
  return Object.fromEntries(entries);
}

/** The kinds of which the operation needs an id, one list for each place. */
function kindsIn({ parameters, body }: Operation): readonly (readonly string[])[] {
  return [
    ...parameters.flatMap(({ schema }) => {
      const kinds = schema['x-refers-to'];
      return kinds === undefined ? [] : [kinds];
    }),
    ...(body?.['x-example-ids'] ?? []).map((id) => id['refers-to']),
  ];
}

/** Looks up an id for each place; returns the kinds of which there is no resource. */
async function missingOf(
  reference: Reference,
  all: readonly (readonly string[])[],
): Promise<readonly string[]> {
  const missing: string[] = [];
  for (const kinds of all) {
    const found = knownId(kinds) ?? (await findId(reference, kinds).catch(() => null));
    if (found === null) missing.push(reference.document['x-kinds'][kinds[0] ?? '']?.one ?? '');
  }
  return missing;
}

function callOf(
  operation: Operation,
  values: Readonly<Record<string, string>>,
  body: Json | null | undefined,
): ApiCall {
  const { method, path } = operation;
  const target = path.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(trimmed(values, name)),
  );
  const query = new URLSearchParams(queryOf(operation, values));
  const url = query.size === 0 ? target : `${target}?${query}`;
  return { method, url, body: bodyText(body) };
}

/** The parameters of the query that are given. */
function queryOf(
  { parameters }: Operation,
  values: Readonly<Record<string, string>>,
): Readonly<Record<string, string>> {
  const given = parameters.filter((it) => it.in === 'query' && trimmed(values, it.name) !== '');
  return Object.fromEntries(given.map(({ name }) => [name, trimmed(values, name)]));
}

function trimmed(values: Readonly<Record<string, string>>, name: string): string {
  return values[name]?.trim() ?? '';
}

/** A text that is no JSON is sent as it is, so that the API explains it. */
function bodyText(body: Json | null | undefined): string | null {
  if (body === null || body === undefined) return null;
  return typeof body === 'string' ? body : JSON.stringify(body, null, 2);
}
