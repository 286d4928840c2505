/** The headers of a message as a table. */
import { Copy } from './copy.tsx';

export type Header = readonly [name: string, value: string];

export function Headers({ title, headers }: { title: string; headers: readonly Header[] }) {
  return (
    <details open>
      <summary>
        <h3>{title}</h3> {headers.length} headers
      </summary>
      <Copy
        what={`${title.toLowerCase()} headers`}
        label={`Copy ${title.toLowerCase()} headers`}
        text={headers.map(([name, value]) => `${name}: ${value}\n`).join('')}
      />
      <table class="headers">
        <tbody>
          {headers.map(([name, value], index) => (
            <tr key={index}>
              <th scope="row">{name}</th>
              <td>{value}</td>
              <td class="last">
                <Copy what={name} text={value} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </details>
  );
}
