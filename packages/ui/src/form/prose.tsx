/** Text of the OpenAPI document: what is in backquotes is code. */

export function Prose({ text }: { text: string }) {
  return text
    .split(/(`[^`]+`)/)
    .map((part, at) => (part.startsWith('`') ? <code key={at}>{part.slice(1, -1)}</code> : part));
}
