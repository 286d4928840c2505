/** Puts the reference on the page: contents, sections, and each operation when it is opened. */
/** @import { Operation, Section } from './types.ts' */
import { byId, el, prose } from './dom.js';
import { operationBody } from './operation.js';
import { loadReference, Reference } from './reference.js';

const main = byId('main', HTMLElement);
const nav = byId('nav', HTMLElement);
const search = byId('search', HTMLInputElement);
const contents = byId('contents', HTMLButtonElement);

/** @type {{ readonly element: HTMLElement, readonly words: string }[]} */
const searchable = [];

/** @param {string} name */
function anchor(name) {
  return name.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-');
}

/** @param {Reference} reference */
function render(reference) {
  const { info, servers } = reference.document;
  main.replaceChildren(
    el('p', { class: 'intro' }, ...prose(info.description)),
    el(
      'p',
      { class: 'intro' },
      'Served at ',
      el('code', {}, servers[0]?.url ?? ''),
      '. For machines: ',
      el('a', { href: '/openapi.json' }, '/openapi.json'),
      '.',
    ),
  );
  for (const { name, sections } of reference.groups) {
    nav.append(el('p', {}, name), el('ul', {}, ...sections.map(link)));
    main.append(
      el(
        'section',
        { class: 'group' },
        el('h2', {}, name),
        ...sections.map((it) => sectionOf(reference, it)),
      ),
    );
  }
}

/** @param {Section} section */
function link({ name }) {
  return el('li', {}, el('a', { href: `#${anchor(name)}`, click: () => toggleContents(false) }, name));
}

/**
 * @param {Reference} reference
 * @param {Section} section
 */
function sectionOf(reference, { name, description, operations }) {
  return el(
    'section',
    { class: 'kind', id: anchor(name) },
    el('h3', {}, name),
    el('p', {}, ...prose(description)),
    ...operations.map((it) => operationOf(reference, it, name)),
  );
}

/**
 * @param {Reference} reference
 * @param {Operation} operation
 * @param {string} section
 */
function operationOf(reference, operation, section) {
  const { id, method, path, summary } = operation;
  const details = el(
    'details',
    { class: 'row', id },
    el(
      'summary',
      {},
      el('span', { class: `method ${method.toLowerCase()}` }, method),
      el('span', { class: 'summary' }, summary),
      el('code', { class: 'path' }, path),
    ),
  );
  details.addEventListener('toggle', () => {
    if (!(details instanceof HTMLDetailsElement) || !details.open) return;
    // Made anew each time, with what has been seen meanwhile.
    details.querySelector('.operation')?.remove();
    details.append(operationBody(reference, operation));
    history.replaceState(null, '', `#${id}`);
  });
  searchable.push({ element: details, words: `${summary} ${path} ${id} ${section}`.toLowerCase() });
  return details;
}

/** Shows what has every word of the search in it. */
function filter() {
  const words = search.value.toLowerCase().split(/\s+/).filter(Boolean);
  for (const { element, words: text } of searchable)
    element.hidden = !words.every((word) => text.includes(word));
  for (const section of main.querySelectorAll('section')) {
    section.hidden = section.querySelector('details.row:not([hidden])') === null;
  }
}

/** @param {boolean} open */
function toggleContents(open) {
  nav.classList.toggle('open', open);
  contents.setAttribute('aria-expanded', String(open));
}

function openFromAddress() {
  const target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
  if (target instanceof HTMLDetailsElement) target.open = true;
  target?.scrollIntoView();
}

search.addEventListener('input', filter);
contents.addEventListener('click', () => toggleContents(!nav.classList.contains('open')));
window.addEventListener('hashchange', openFromAddress);
document.addEventListener('keydown', (event) => {
  const isTyping = event.target instanceof HTMLInputElement || event.target instanceof HTMLTextAreaElement;
  if (event.key !== '/' || isTyping || event.ctrlKey || event.metaKey) return;
  event.preventDefault();
  search.focus();
});
try {
  render(await loadReference());
  filter();
  openFromAddress();
} catch (error) {
  main.replaceChildren(el('p', { class: 'bad' }, `The reference could not be loaded: ${String(error)}`));
}
document.body.dataset.ready = '';
