/** Reads XML that strangers have sent. Never that anything is fetched, that text stands for something else, or that more is built than `limits` say. */
import type { Element } from '@xmldom/xmldom';
import { xml } from './on-demand.ts';

export interface XmlLimits {
  readonly tags: number;
  /** The parser's time grows with the product of nesting and namespaces. */
  readonly namespaces: number;
  /** The parser's time grows with the square of those of one tag. */
  readonly attributes: number;
}

/** Why a text is not read. */
export type XmlFault = 'doctype' | 'complex' | 'malformed';

/** The element that all others are in. */
export function readXml(text: string, limits: XmlLimits): Element | XmlFault {
  if (/<!(?:DOCTYPE|ENTITY)/i.test(text)) return 'doctype';
  if (count(text, '<') > limits.tags || count(text, 'xmlns') > limits.namespaces) return 'complex';
  if (count(text, /=\s*["']/) > limits.attributes) return 'complex';
  const { DOMParser, onWarningStopParsing } = xml();
  try {
    const parser = new DOMParser({ locator: false, onError: onWarningStopParsing });
    return parser.parseFromString(text.trim(), 'text/xml').documentElement ?? 'malformed';
  } catch {
    return 'malformed';
  }
}

function count(text: string, part: string | RegExp): number {
  return text.split(part).length - 1;
}

export function isElement(element: Element, namespace: string, name: string): boolean {
  return element.namespaceURI === namespace && element.localName === name;
}

/** Those right below it, whatever they are. */
export function elementsIn(parent: Element): Element[] {
  return Array.from(parent.childNodes).filter((node): node is Element => node.nodeType === node.ELEMENT_NODE);
}

export function children(parent: Element, namespace: string, name: string): Element[] {
  return elementsIn(parent).filter((element) => isElement(element, namespace, name));
}
