/** The request of a form as curl, as a command and as TypeScript. */
import { Copy } from '@underpass/ui/copy.tsx';
import type { Json, Operation } from '@underpass/ui/form/openapi.ts';
import type { Reference } from '@underpass/ui/form/reference.ts';
import { asCommand, asCurl, asTypeScript } from '@underpass/ui/form/snippets.ts';

interface SnippetParts {
  readonly reference: Reference;
  readonly operation: Operation;
  /** Path with its parameters filled in. */
  readonly path: string;
  /** Values of the parameters, in their order. */
  readonly values: readonly string[];
  readonly body: Json | null;
}

export function Snippets({ reference, operation, path, values, body }: SnippetParts) {
  const text = body === null ? null : JSON.stringify(body);
  const all = [
    ['curl', asCurl(reference, { method: operation.method, url: path, body: text })],
    ['Command', asCommand(reference, operation, values, body)],
    ['TypeScript', asTypeScript(reference, operation, values, body)],
  ] as const;
  return (
    <details class="snippets">
      <summary>As curl, command or TypeScript</summary>
      {all.map(([name, code]) => (
        <section key={name} aria-label={name}>
          <h3>
            {name} <Copy what={`as ${name}`} text={code} />
          </h3>
          <pre>{code}</pre>
        </section>
      ))}
    </details>
  );
}
