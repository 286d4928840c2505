/**
 * Checks that a text is well-formed XML 1.0 (W3C, fifth edition) with well-formed names (Namespaces in XML 1.0), before a parser reads it. A
 * document type is not accepted, nor any encoding but UTF-8. The time grows with the length of the text.
 * Invariant: a text that passes is also well-formed to libxml2.
 */
import { XmlScope } from './xml-scope.ts';

const space = '[ \\t\\r\\n]';
const nameStart =
  'A-Z_a-z\\xC0-\\xD6\\xD8-\\xF6\\xF8-\\u02FF\\u0370-\\u037D\\u037F-\\u1FFF\\u200C\\u200D\\u2070-\\u218F\\u2C00-\\u2FEF\\u3001-\\uD7FF\\uF900-\\uFDCF\\uFDF0-\\uFFFD\\u{10000}-\\u{EFFFF}';
/** libxml2 reads no names that are much longer. */
const localName = `[${nameStart}][${nameStart}\\-.0-9\\xB7\\u0300-\\u036F\\u203F\\u2040]{0,999}`;
const name = `${localName}(?::${localName})?`;
const equals = `${space}*=${space}*`;
const encoding = `(?:${space}+encoding${equals}(?:"[Uu][Tt][Ff]-?8"|'[Uu][Tt][Ff]-?8'))?`;
const standalone = `(?:${space}+standalone${equals}(?:"(?:yes|no)"|'(?:yes|no)'))?`;

const sticky = (source: string): RegExp => new RegExp(source, 'uy');
const declaration = sticky(
  `<\\?xml${space}+version${equals}(?:"1\\.0"|'1\\.0')${encoding}${standalone}${space}*\\?>`,
);
const spaces = sticky(`${space}+`);
const comment = sticky('<!--(?:(?!--)[^])*-->');
const instruction = sticky(`<\\?(?![Xx][Mm][Ll][ \\t\\r\\n?])${localName}(?:${space}(?:(?!\\?>)[^])*)?\\?>`);
const characterData = sticky('<!\\[CDATA\\[(?:(?!\\]\\]>)[^])*\\]\\]>');
const text = sticky('[^<]+');
const tagStart = sticky(`<(${name})`);
const attribute = sticky(`${space}+(${name})${equals}(?:"([^<"]*)"|'([^<']*)')`);
const tagEnd = sticky(`${space}*(/?)>`);
const closingTag = sticky(`</(${name})${space}*>`);

/** Characters that XML 1.0 has not, surrogates without their other half included. */
const forbidden = /[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/u;
const reference = /&(?:(?:amp|lt|gt|quot|apos)|#([0-9]+)|#x([0-9A-Fa-f]+));/g;
const named: Readonly<Record<string, string>> = {
  ...{ '&amp;': '&', '&lt;': '<', '&gt;': '>', '&quot;': '"', '&apos;': "'" },
};

/** libxml2 reads no deeper nesting. */
const mostDepth = 250;

export function isWellFormed(xml: string): boolean {
  return !forbidden.test(xml) && new Check(xml).passes();
}

class Check {
  readonly #xml: string;
  readonly #scope = new XmlScope();
  /** Names of the open elements. */
  readonly #open: string[] = [];
  #at = 0;

  constructor(xml: string) {
    this.#xml = xml;
  }

  passes(): boolean {
    this.#take(declaration);
    this.#passMisc();
    if (!this.#startsTag()) return false;
    while (this.#open.length > 0) if (!this.#passContent()) return false;
    this.#passMisc();
    return this.#at === this.#xml.length;
  }

  #passMisc(): void {
    while (this.#take(spaces) ?? this.#take(comment) ?? this.#take(instruction));
  }

  /** One piece of the content of the innermost open element. */
  #passContent(): boolean {
    const piece = this.#take(text)?.[0];
    if (piece !== undefined) return !piece.includes(']]>') && resolved(piece) !== null;
    switch (this.#xml[this.#at + 1]) {
      case '/':
        return this.#endsTag();
      case '!':
        return (this.#take(comment) ?? this.#take(characterData)) !== null;
      case '?':
        return this.#take(instruction) !== null;
      default:
        return this.#startsTag();
    }
  }

  #startsTag(): boolean {
    const element = this.#take(tagStart)?.[1];
    if (element === undefined || this.#open.length >= mostDepth) return false;
    const attributes = new Map<string, string>();
    for (let found = this.#take(attribute); found !== null; found = this.#take(attribute)) {
      const [, key = '', double, single = ''] = found;
      const value = resolved(double ?? single);
      if (value === null || attributes.has(key)) return false;
      attributes.set(key, value);
    }
    const end = this.#take(tagEnd);
    if (end === null || !this.#scope.enter(element, attributes)) return false;
    if (end[1] === '/') this.#scope.leave();
    else this.#open.push(element);
    return true;
  }

  #endsTag(): boolean {
    const element = this.#take(closingTag)?.[1];
    if (element === undefined || element !== this.#open.pop()) return false;
    this.#scope.leave();
    return true;
  }

  #take(pattern: RegExp): RegExpExecArray | null {
    const found = at(pattern, this.#xml, this.#at);
    this.#at += found?.[0].length ?? 0;
    return found;
  }
}

function at(pattern: RegExp, xml: string, index: number): RegExpExecArray | null {
  pattern.lastIndex = index;
  return pattern.exec(xml);
}

/** Text or an attribute with its references resolved; null: an `&` begins none, or one of a forbidden character. */
function resolved(raw: string): string | null {
  if (!raw.includes('&')) return raw;
  if (raw.replace(reference, '').includes('&')) return null;
  let isGood = true;
  const value = raw.replace(reference, (whole: string, decimal?: string, hex?: string) => {
    if (decimal === undefined && hex === undefined) return named[whole] ?? '';
    const code = decimal === undefined ? Number.parseInt(hex ?? '', 16) : Number.parseInt(decimal, 10);
    const character = code <= 0x10ffff ? String.fromCodePoint(code) : '\0';
    isGood &&= !forbidden.test(character);
    return character;
  });
  return isGood ? value : null;
}
