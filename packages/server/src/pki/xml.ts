/**
 * Reads XML that strangers have sent, without fetching anything.
 * Invariant: only well-formed text without a document type reaches the parser, and no more than `limits` allow.
 */
import type { Element } from '@xmldom/xmldom';
import { xml } from './on-demand.ts';
import { isWellFormed } from './xml-syntax.ts';
import { trimXml } from './xml-types.ts';

export interface XmlLimits {
  readonly tags: number;
  /** The parser's time grows with the product of nesting and namespaces. */
  readonly namespaces: number;
  /** The parser's time grows with the square of those of one tag. */
  readonly attributes: number;
}

/** Reason why a text is not read. */
export type XmlFault = 'doctype' | 'complex' | 'malformed';

/** The element that all others are in. */
export function readXml(text: string, limits: XmlLimits): Element | XmlFault {
  if (/<!(?:DOCTYPE|ENTITY)/i.test(text)) return 'doctype';
  if (count(text, '<') > limits.tags || count(text, 'xmlns') > limits.namespaces) return 'complex';
  if (count(text, /=\s*["']/) > limits.attributes) return 'complex';
  if (!isWellFormed(text)) return 'malformed';
  const { DOMParser } = xml();
  try {
    const parser = new DOMParser({ locator: false, onError: stop, normalizeLineEndings });
    return parser.parseFromString(text, 'text/xml').documentElement ?? 'malformed';
  } catch {
    return 'malformed';
  }
}

/** U+FFFD is a character of XML like any other, of which the parser warns. */
function stop(_level: string, message: string): void {
  if (!message.startsWith('Unicode replacement character')) throw new Error(message);
}

/** The line ends of XML 1.0: the parser's own way replaces those of XML 1.1, and with them what was signed. */
function normalizeLineEndings(text: string): string {
  return text.replace(/\r\n?/g, '\n');
}

function count(text: string, part: string | RegExp): number {
  return text.split(part).length - 1;
}

/** An attribute of the type xs:anyURI, without white space around it; null: absent. */
export function uriIn(element: Element, name: string): string | null {
  const value = element.getAttribute(name);
  return value === null ? null : trimXml(value);
}

export function isElement(element: Element, namespace: string, name: string): boolean {
  return element.namespaceURI === namespace && element.localName === name;
}

/** Returns the child elements. */
export function elementsIn(parent: Element): Element[] {
  return Array.from(parent.childNodes).filter((node): node is Element => node.nodeType === node.ELEMENT_NODE);
}

export function children(parent: Element, namespace: string, name: string): Element[] {
  return elementsIn(parent).filter((element) => isElement(element, namespace, name));
}
