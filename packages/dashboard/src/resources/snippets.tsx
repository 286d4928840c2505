/** The request of a form as curl, as a command and as TypeScript. */
import { Copy } from '@underpass/ui/copy.tsx';
import type { Reference } from '@underpass/ui/form/reference.ts';
import { asCommand, asCurl, asTypeScript, type OperationCall } from '@underpass/ui/form/snippets.ts';

interface SnippetParts extends OperationCall {
  readonly reference: Reference;
  /** Path with its parameters filled in, and its query. */
  readonly path: string;
}

export function Snippets({ reference, path, ...call }: SnippetParts) {
  const text = call.body === null ? null : JSON.stringify(call.body);
  const all = [
    ['curl', asCurl(reference, { method: call.operation.method, url: path, body: text })],
    ['Command', asCommand(reference, call)],
    ['TypeScript', asTypeScript(reference, call)],
  ] as const;
  return (
    <details class="snippets">
      <summary>As curl, command or TypeScript</summary>
      {all.map(
        ([name, code]) =>
          code !== null && (
            <section key={name} aria-label={name}>
              <h3>
                {name} <Copy what={`as ${name}`} text={code} />
              </h3>
              <pre>{code}</pre>
            </section>
          ),
      )}
    </details>
  );
}
