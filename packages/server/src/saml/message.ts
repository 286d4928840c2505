/** Reads the XML of a SAML message. Never one in which two readers could find different things: no comments, no entities, no id twice. */
import { inflateRawSync } from 'node:zlib';
import type { Element } from '@xmldom/xmldom';
import { elementsIn, readXml, type XmlFault } from '../pki/xml.ts';
import { base64Bytes } from '../pki/xml-types.ts';
import { refused } from './refused.ts';

/** Bytes of XML. */
export const mostMessage = 128 * 1024;
/** Enough for a user in six hundred groups, each with two namespaces of its own. */
const limits = { tags: 2_000, namespaces: 1_250, attributes: 2_000 };
const mostDepth = 64;

const faults: { readonly [Fault in XmlFault]: readonly [check: string, reason: string] } = {
  doctype: ['document type', 'the message has a document type or an entity of its own'],
  complex: ['complexity', 'the message has too many tags or namespaces'],
  malformed: ['xml', 'the message is not well-formed XML'],
};

/** Decodes the field of a form (saml-bindings-2.0-os, section 3.5.4). Throws LoginFault. */
export function fromPost(field: string): Element {
  return readMessage(textOf(base64Of(field)));
}

/** Decodes the parameter of a redirect (section 3.4.4.1). Throws LoginFault. */
export function fromRedirect(parameter: string): Element {
  const deflated = base64Of(parameter);
  try {
    return readMessage(textOf(inflateRawSync(deflated, { maxOutputLength: mostMessage })));
  } catch (error) {
    if (error instanceof Error && 'code' in error)
      throw refused('encoding', 'the message is not deflated, or is too large');
    throw error;
  }
}

function base64Of(text: string): Buffer {
  const bytes = base64Bytes(text);
  if (bytes === null) throw refused('encoding', 'the message is not base64');
  if (bytes.length > mostMessage) throw refused('size', 'the message is too large');
  return bytes;
}

function textOf(bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw refused('encoding', 'the message is not UTF-8');
  }
}

/** Throws LoginFault. */
export function readMessage(xml: string): Element {
  // In well-formed XML a "<" begins markup only, so the test of the text is exact.
  if (xml.includes('<!--')) throw refused('comment', 'the message has a comment in it');
  if (/<!\[CDATA\[/i.test(xml)) throw refused('cdata', 'the message has a CDATA section in it');
  if (/<\?/.test(xml.replace(/^<\?xml[ \t\r\n][^<>]*\?>/, '')))
    throw refused('instruction', 'the message has a processing instruction in it');
  const root = readXml(xml, limits);
  if (typeof root === 'string') throw refused(...faults[root]);
  const ids = new Set<string>();
  for (const element of allIn(root)) {
    for (const { localName, value } of Array.from(element.attributes)) {
      if (localName?.toLowerCase() !== 'id') continue;
      if (ids.has(value)) throw refused('id', 'two elements of the message have the same id');
      ids.add(value);
    }
  }
  return root;
}

/** The element and all below it. Throws LoginFault for what is nested too deeply. */
export function allIn(element: Element, depth = 0): Element[] {
  if (depth > mostDepth) throw refused('complexity', 'the message is nested too deeply');
  return [element, ...elementsIn(element).flatMap((child) => allIn(child, depth + 1))];
}
