/** One operation: its parameters, body, answer and errors, and a form to try it. */
import type { Operation, Parameter } from '@underpass/ui/form/openapi.ts';
import { Prose } from '@underpass/ui/form/prose.tsx';
import type { Reference } from '@underpass/ui/form/reference.ts';
import { FieldList } from './fields.tsx';
import { Trial } from './trial.tsx';

export function OperationView({ reference, operation }: { reference: Reference; operation: Operation }) {
  const { parameters, body, answer, status, errors } = operation;
  return (
    <div class="operation">
      <div class="about">
        {parameters.length > 0 && (
          <>
            <h4>Parameters</h4>
            <ParameterList parameters={parameters} />
          </>
        )}
        {body !== null && (
          <>
            <h4>Body</h4>
            <FieldList reference={reference} schema={body.schema} use="request" />
          </>
        )}
        <h4>Answer: {status}</h4>
        {answer === null ? (
          <p class="quiet">No body.</p>
        ) : (
          <FieldList reference={reference} schema={answer} use="answer" />
        )}
        <details class="errors">
          <summary>Errors</summary>
          <dl>
            {errors.map(([code, text]) => (
              <div key={code}>
                <dt>{code}</dt>
                <dd>{text}</dd>
              </div>
            ))}
          </dl>
        </details>
      </div>
      <Trial reference={reference} operation={operation} />
    </div>
  );
}

function ParameterList({ parameters }: { parameters: readonly Parameter[] }) {
  return (
    <ul class="fields">
      {parameters.map(({ name, required, description = '', schema }) => (
        <li key={name}>
          <div class="field">
            <code class="name">{name}</code>
            <span class="type">{String(schema.type ?? '')}</span>
            {required === true && <span class="mark strong">required</span>}
            {schema.default !== undefined && (
              <span class="mark">
                default <code>{JSON.stringify(schema.default)}</code>
              </span>
            )}
          </div>
          {description !== '' && (
            <p>
              <Prose text={description} />
            </p>
          )}
        </li>
      ))}
    </ul>
  );
}
