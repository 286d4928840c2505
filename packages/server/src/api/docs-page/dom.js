/**
 * Elements of the page.
 * Invariant: text never becomes markup; the page shows responses as they are.
 */

/**
 * @param {string} name
 * @param {Record<string, string | boolean | ((event: Event) => void)>} attributes A function listens to the event of that name.
 * @param {...(Node | string | null)} children
 * @returns {HTMLElement}
 */
export function el(name, attributes = {}, ...children) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (typeof value === 'function') element.addEventListener(key, value);
    else if (value === true) element.setAttribute(key, '');
    else if (value !== false) element.setAttribute(key, value);
  }
  for (const child of children) if (child !== null) element.append(child);
  return element;
}

/**
 * @template {HTMLElement} T
 * @param {string} id
 * @param {new () => T} type
 * @returns {T}
 */
export function byId(id, type) {
  const element = document.getElementById(id);
  if (!(element instanceof type)) throw new Error(`the page has no ${type.name} with the id ${id}`);
  return element;
}

/**
 * Shows text in backquotes or between quotes as code.
 * @param {string} text
 * @returns {(Node | string)[]}
 */
export function prose(text) {
  return text
    .split(/(`[^`]+`)/)
    .map((part) => (part.startsWith('`') ? el('code', {}, part.slice(1, -1)) : part));
}
