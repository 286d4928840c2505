/** Follows the namespaces that are in scope while a document is read, and checks their constraints (W3C, Namespaces in XML 1.0). */

const xmlUri = 'http://www.w3.org/XML/1998/namespace';
const xmlnsUri = 'http://www.w3.org/2000/xmlns/';

export class XmlScope {
  /** URIs by prefixes. */
  readonly #bound = new Map<string, string>([['xml', xmlUri]]);
  /** Bindings that each open element has replaced; undefined: the prefix had none. */
  readonly #replaced: (readonly (readonly [prefix: string, uri: string | undefined])[])[] = [];

  /** Returns false if a prefix is not declared, a declaration is not allowed, or two attributes have the same expanded name. */
  enter(element: string, attributes: ReadonlyMap<string, string>): boolean {
    const replaced: (readonly [string, string | undefined])[] = [];
    for (const [name, uri] of attributes) {
      const prefix = declaredBy(name);
      if (prefix === null) continue;
      if (!mayBind(prefix, uri)) return false;
      replaced.push([prefix, this.#bound.get(prefix)]);
      this.#bound.set(prefix, uri);
    }
    this.#replaced.push(replaced);
    return this.#isDeclared(prefixOf(element)) && this.#areDistinct([...attributes.keys()]);
  }

  leave(): void {
    for (const [prefix, uri] of this.#replaced.pop() ?? []) {
      if (uri === undefined) this.#bound.delete(prefix);
      else this.#bound.set(prefix, uri);
    }
  }

  #isDeclared(prefix: string): boolean {
    return prefix === '' || this.#bound.has(prefix);
  }

  #areDistinct(names: readonly string[]): boolean {
    const prefixed = names.filter((name) => name.includes(':') && declaredBy(name) === null);
    const expanded = prefixed.map((name) => {
      const prefix = prefixOf(name);
      return `${this.#bound.get(prefix)} ${name.slice(prefix.length + 1)}`;
    });
    const areDeclared = prefixed.every((name) => this.#isDeclared(prefixOf(name)));
    return areDeclared && new Set(expanded).size === expanded.length;
  }
}

/** '' for none. */
function prefixOf(name: string): string {
  return name.slice(0, Math.max(0, name.indexOf(':')));
}

/** The prefix that an attribute declares, '' for the default namespace; null: it declares none. */
function declaredBy(attribute: string): string | null {
  if (attribute === 'xmlns') return '';
  return attribute.startsWith('xmlns:') ? attribute.slice('xmlns:'.length) : null;
}

function mayBind(prefix: string, uri: string): boolean {
  if (prefix === 'xmlns' || uri === xmlnsUri) return false;
  if ((prefix === 'xml') !== (uri === xmlUri)) return false;
  return prefix === '' || uri !== '';
}
