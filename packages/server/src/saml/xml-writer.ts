/**
 * Writes XML in the exclusive canonical form, so that the output can be signed unchanged.
 * Invariant: a value never becomes markup.
 */
import { attributeText, plainText } from './canonical.ts';

export type Attributes = Readonly<Record<string, string | undefined>>;

/** `content` is XML that was written here. Attributes that declare namespaces come first, all others by their names; those that are undefined are left out. */
export function element(name: string, attributes: Attributes, content: readonly string[] = []): string {
  const given = Object.entries(attributes).flatMap(([attribute, value]): [string, string][] =>
    value === undefined ? [] : [[attribute, value]],
  );
  const isNamespace = ([attribute]: readonly [string, string]): boolean => attribute.startsWith('xmlns');
  const sorted = given.toSorted(([one], [other]) => (one < other ? -1 : 1));
  const inOrder = [...sorted.filter(isNamespace), ...sorted.filter((pair) => !isNamespace(pair))];
  const written = inOrder.map(([attribute, value]) => ` ${attribute}="${attributeText(value)}"`);
  return `<${name}${written.join('')}>${content.join('')}</${name}>`;
}

export function textElement(name: string, attributes: Attributes, text: string): string {
  return element(name, attributes, [plainText(text)]);
}
