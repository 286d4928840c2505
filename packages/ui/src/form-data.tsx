/** The fields of a form as a table. */
import { Copy } from './copy.tsx';
import type { FormField, FormFields } from './form-fields.ts';
import { bytes } from './format.ts';

/** Characters of a value that are shown. */
const VALUE_MAX = 4_096;

export function Form({ form: { fields, more } }: { form: FormFields }) {
  const hasParts = fields.some(({ fileName, type }) => fileName !== null || type !== '');
  return (
    <>
      <table class="form">
        <thead>
          <tr>
            <th scope="col">Name</th>
            {hasParts && (
              <>
                <th scope="col">File</th>
                <th scope="col">Type</th>
              </>
            )}
            <th scope="col">Size</th>
            <th scope="col">Value</th>
          </tr>
        </thead>
        <tbody>
          {fields.map((field, index) => (
            <Row key={index} field={field} hasParts={hasParts} />
          ))}
        </tbody>
      </table>
      {more > 0 && <p class="remark">{more} more are not shown.</p>}
    </>
  );
}

function Row({ field, hasParts }: { field: FormField; hasParts: boolean }) {
  const { name, fileName, type, size, value } = field;
  return (
    <tr>
      <th scope="row">{name}</th>
      {hasParts && (
        <>
          <td data-label="File">{fileName}</td>
          <td data-label="Type">{type}</td>
        </>
      )}
      <td data-label="Size" class="amount">
        {bytes(size)}
      </td>
      <td data-label="Value">
        <Value name={name} value={value} />
      </td>
    </tr>
  );
}

function Value({ name, value }: Pick<FormField, 'name' | 'value'>) {
  if (value === null) return <span class="remark">not text</span>;
  return (
    <div class="value">
      <span>
        {value.slice(0, VALUE_MAX)}
        {value.length > VALUE_MAX && '…'}
      </span>
      {value !== '' && <Copy what={`value of ${name}`} text={value} />}
    </div>
  );
}
