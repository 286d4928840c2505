/**
 * Exclusive XML Canonicalization 1.0 (W3C, xml-exc-c14n) of elements that are made of elements and text alone. What is made here is compared with what was
 * signed, and read only then: a fault can have a signature refused and never another text taken for the signed one.
 */
import type { Attr, Element } from '@xmldom/xmldom';
import { refused } from './refused.ts';

const xmlns = 'http://www.w3.org/2000/xmlns/';
const mostDepth = 64;

/** URIs by prefixes; '' is the default. */
type Namespaces = ReadonlyMap<string, string>;

export interface CanonicalOptions {
  /** One below the apex, which is left out as if it were not there. */
  readonly without?: Element;
  /** Prefixes whose namespaces count as used everywhere (section 2.1); '' for the default one. */
  readonly inclusive?: readonly string[];
}

/** Returns UTF-8. Throws LoginFault if elements are nested too deeply. */
export function canonical(apex: Element, { without, inclusive = [] }: CanonicalOptions = {}): Buffer {
  const pieces: string[] = [];
  const write = (element: Element, outer: Namespaces, written: Namespaces, depth: number): void => {
    if (depth > mostDepth) throw refused('complexity', 'the message is nested too deeply');
    const inScope = scopeOf(element, outer);
    const added = addedHere(element, { inScope, written, inclusive });
    const namespaces = [...added].sort(([one], [other]) => order(one, other));
    pieces.push(`<${element.nodeName}`);
    for (const [prefix, uri] of namespaces)
      pieces.push(` xmlns${prefix === '' ? '' : `:${prefix}`}="${attributeText(uri)}"`);
    for (const { name, value } of attributesOf(element).sort(inOrder))
      pieces.push(` ${name}="${attributeText(value)}"`);
    pieces.push('>');
    const below = added.size === 0 ? written : new Map([...written, ...added]);
    for (const node of Array.from(element.childNodes)) {
      if (node === without) continue;
      if (node.nodeType === node.ELEMENT_NODE) write(node as Element, inScope, below, depth + 1);
      else pieces.push(plainText(node.nodeValue ?? ''));
    }
    pieces.push(`</${element.nodeName}>`);
  };
  write(apex, scopeAround(apex), new Map([['', '']]), 0);
  return Buffer.from(pieces.join(''), 'utf8');
}

interface Scope {
  readonly inScope: Namespaces;
  /** Namespaces that the output around the element has already. */
  readonly written: Namespaces;
  readonly inclusive: readonly string[];
}

/** The namespaces that the element uses itself, or that count as used, and that were not written yet. */
function addedHere(element: Element, { inScope, written, inclusive }: Scope): Namespaces {
  const used = [element, ...attributesOf(element).filter(({ prefix }) => prefix)].map(
    ({ prefix }) => prefix ?? '',
  );
  const added = new Map<string, string>();
  for (const prefix of new Set([...used, ...inclusive])) {
    const uri = inScope.get(prefix) ?? '';
    // `xml` is bound by itself; a prefix of the list may be bound nowhere.
    if (prefix === 'xml' || (prefix !== '' && uri === '')) continue;
    if (written.get(prefix) !== uri) added.set(prefix, uri);
  }
  return added;
}

function scopeAround(apex: Element): Namespaces {
  const ancestors: Element[] = [];
  for (
    let node = apex.parentNode;
    node !== null && node.nodeType === node.ELEMENT_NODE;
    node = node.parentNode
  )
    ancestors.unshift(node as Element);
  return ancestors.reduce<Namespaces>((scope, element) => scopeOf(element, scope), new Map());
}

function scopeOf(element: Element, outer: Namespaces): Namespaces {
  const declared = Array.from(element.attributes).filter(({ namespaceURI }) => namespaceURI === xmlns);
  if (declared.length === 0) return outer;
  const own = declared.map(({ prefix, localName, value }): [string, string] => [
    prefix ? (localName ?? '') : '',
    value,
  ]);
  return new Map([...outer, ...own]);
}

function attributesOf(element: Element): Attr[] {
  return Array.from(element.attributes).filter(({ namespaceURI }) => namespaceURI !== xmlns);
}

/** Orders by the URI of the namespace, then by name. Attributes without a namespace are first. */
function inOrder(one: Attr, other: Attr): number {
  return (
    order(one.namespaceURI ?? '', other.namespaceURI ?? '') ||
    order(one.localName ?? one.name, other.localName ?? other.name)
  );
}

function order(one: string, other: string): number {
  return Buffer.compare(Buffer.from(one), Buffer.from(other));
}

const inText: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '\r': '&#xD;' };
const inAttributes: Readonly<Record<string, string>> = {
  ...{ '&': '&amp;', '<': '&lt;', '"': '&quot;' },
  ...{ '\t': '&#x9;', '\n': '&#xA;', '\r': '&#xD;' },
};

/** Also how texts are written into messages of our own. */
export function plainText(text: string): string {
  return text.replace(/[&<>\r]/g, (character) => inText[character] ?? '');
}

/** Also how values are. */
export function attributeText(text: string): string {
  return text.replace(/[&<"\t\n\r]/g, (character) => inAttributes[character] ?? '');
}
