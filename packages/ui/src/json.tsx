/** Shows indented JSON with its parts in different colours. */

const MAX = 200_000;
const PARTS = /("(?:[^"\\]|\\.)*")(\s*:)?|\b(?:true|false|null)\b|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;

export function Json({ text }: { text: string }) {
  return <pre class="json">{text.length > MAX ? text : coloured(text)}</pre>;
}

function coloured(text: string) {
  const parts = [];
  let at = 0;
  for (const match of text.matchAll(PARTS)) {
    const [whole, string, colon] = match;
    const kind = string === undefined ? 'other' : colon === undefined ? 'string' : 'key';
    parts.push(text.slice(at, match.index), <span class={kind}>{whole}</span>);
    at = match.index + whole.length;
  }
  return [...parts, text.slice(at)];
}
