/** One operation: what it takes and answers, and a form to try it with, filled in with what works. */
/** @import { Operation, Parameter } from './types.ts' */
/** @import { Answer, Call } from './request.js' */
/** @import { Reference } from './reference.js' */
import { el, prose } from './dom.js';
import { fieldList } from './fields.js';
import { fillIn, findId, knownId, learn } from './ids.js';
import { curl, key, send } from './request.js';

/**
 * @param {Reference} reference
 * @param {Operation} operation
 * @returns {HTMLElement}
 */
export function operationBody(reference, operation) {
  const { parameters, body, answer, status, errors } = operation;
  const about = el('div', { class: 'about' });
  if (parameters.length > 0) about.append(el('h4', {}, 'Parameters'), parameterList(parameters));
  if (body !== null) about.append(el('h4', {}, 'Body'), fieldList(reference, body.schema, 'request'));
  about.append(el('h4', {}, `Answer: ${status}`));
  about.append(
    answer === null ? el('p', { class: 'quiet' }, 'No body.') : fieldList(reference, answer, 'answer'),
  );
  about.append(
    el(
      'details',
      { class: 'errors' },
      el('summary', {}, 'Errors'),
      el('dl', {}, ...errors.flatMap(([code, text]) => [el('dt', {}, code), el('dd', {}, text)])),
    ),
  );
  return el('div', { class: 'operation' }, about, new TrialForm(reference, operation).element);
}

/** @param {readonly Parameter[]} parameters */
function parameterList(parameters) {
  const items = parameters.map(({ name, required, description = '', schema }) =>
    el(
      'li',
      {},
      el(
        'div',
        { class: 'field' },
        el('code', { class: 'name' }, name),
        el('span', { class: 'type' }, String(schema.type ?? '')),
        required ? el('span', { class: 'mark strong' }, 'required') : null,
        schema.default === undefined
          ? null
          : el('span', { class: 'mark' }, 'default ', el('code', {}, JSON.stringify(schema.default))),
      ),
      description === '' ? null : el('p', {}, ...prose(description)),
    ),
  );
  return el('ul', { class: 'fields' }, ...items);
}

class TrialForm {
  /** @type {Reference} */ #reference;
  /** @type {Operation} */ #operation;
  /** @type {Map<string, HTMLInputElement>} */ #inputs = new Map();
  /** @type {HTMLTextAreaElement | null} */ #body = null;
  #notice = el('p', { class: 'notice', role: 'status' });
  #result = el('div', { class: 'result', 'aria-live': 'polite' });

  /**
   * @param {Reference} reference
   * @param {Operation} operation
   */
  constructor(reference, operation) {
    this.#reference = reference;
    this.#operation = operation;
    const fields = operation.parameters.map((parameter) => this.#parameterInput(parameter));
    const body = operation.body === null ? [] : [this.#bodyInput()];
    const buttons = el(
      'div',
      { class: 'buttons' },
      el('button', { type: 'submit', class: 'primary' }, 'Send'),
      this.#needsIds()
        ? el('button', { type: 'button', click: () => void this.#lookUp() }, 'Find ids')
        : null,
      el('button', { type: 'button', click: () => this.#showCurl() }, 'As curl'),
    );
    const submit = (/** @type {Event} */ event) => {
      event.preventDefault();
      void this.#send();
    };
    this.element = el(
      'form',
      { class: 'trial', submit },
      el('h4', {}, 'Try it'),
      ...fields,
      ...body,
      buttons,
      this.#notice,
      this.#result,
    );
    this.#fill();
    if (this.#needsIds() && key() !== '') void this.#lookUp();
  }

  /** @param {Parameter} parameter */
  #parameterInput({ name, required, schema }) {
    const example = schema.examples?.[0] ?? '';
    const input = el('input', {
      value: String(example),
      placeholder: schema.default === undefined ? '' : String(schema.default),
      autocomplete: 'off',
      spellcheck: 'false',
      required: required === true,
    });
    if (input instanceof HTMLInputElement) this.#inputs.set(name, input);
    return el('label', {}, name, input);
  }

  #bodyInput() {
    const area = el('textarea', { spellcheck: 'false', autocomplete: 'off' });
    if (area instanceof HTMLTextAreaElement) this.#body = area;
    area.addEventListener('input', () => this.#fit());
    return el('label', {}, 'body', area);
  }

  #needsIds() {
    const { parameters, body } = this.#operation;
    return (
      parameters.some(({ schema }) => schema['x-refers-to']) || (body?.['x-example-ids'] ?? []).length > 0
    );
  }

  /** Puts the ids that are known where nothing else was typed in. */
  #fill() {
    const { parameters, body } = this.#operation;
    for (const { name, schema } of parameters) {
      const input = this.#inputs.get(name);
      const known = knownId(schema['x-refers-to'] ?? []);
      if (input !== undefined && input.value === '' && known !== null) input.value = known;
    }
    if (this.#body === null || body === null) return;
    const untouched = this.#body.value === this.#body.defaultValue;
    if (untouched) {
      this.#body.defaultValue = JSON.stringify(
        fillIn(body.example ?? {}, body['x-example-ids'] ?? []).body,
        null,
        2,
      );
      this.#body.value = this.#body.defaultValue;
    }
    this.#fit();
  }

  #fit() {
    if (this.#body !== null) this.#body.rows = Math.min(24, this.#body.value.split('\n').length + 1);
  }

  async #lookUp() {
    if (!this.#hasKey()) return;
    this.element.setAttribute('aria-busy', 'true');
    const { parameters, body } = this.#operation;
    const wanted = [
      ...parameters.flatMap(({ schema }) =>
        schema['x-refers-to'] === undefined ? [] : [schema['x-refers-to']],
      ),
      ...(body?.['x-example-ids'] ?? []).map((id) => id['refers-to']),
    ];
    const missing = [];
    for (const kinds of wanted) {
      const found = knownId(kinds) ?? (await findId(this.#reference, kinds).catch(() => null));
      if (found === null) missing.push(this.#reference.document['x-kinds'][kinds[0] ?? '']?.one ?? '');
    }
    this.#fill();
    this.element.removeAttribute('aria-busy');
    this.#notice.textContent =
      missing.length === 0 ? '' : `There is none yet: create ${missing.join(', and ')} first.`;
  }

  #hasKey() {
    this.#notice.textContent = key() === '' ? 'Type in an API key at the top of the page first.' : '';
    return key() !== '';
  }

  /** @returns {Call} */
  #call() {
    const { method, path, parameters } = this.#operation;
    const value = (/** @type {string} */ name) => this.#inputs.get(name)?.value.trim() ?? '';
    const target = path.replaceAll(/\{(\w+)\}/g, (_, name) => encodeURIComponent(value(name)));
    const query = new URLSearchParams();
    for (const { name, in: place } of parameters)
      if (place === 'query' && value(name) !== '') query.set(name, value(name));
    const url = query.size === 0 ? target : `${target}?${query}`;
    return { method, url, body: this.#body?.value ?? null };
  }

  async #send() {
    if (!this.#hasKey()) return;
    const call = this.#call();
    this.#result.replaceChildren(el('p', { class: 'quiet' }, '…'));
    try {
      const answer = await send(this.#reference, call);
      learn(this.#reference, this.#operation, answer, call.url);
      this.#result.replaceChildren(...shown(answer));
    } catch (error) {
      this.#result.replaceChildren(el('p', { class: 'bad' }, `There was no answer: ${String(error)}`));
    }
  }

  #showCurl() {
    this.#result.replaceChildren(el('pre', {}, curl(this.#reference, this.#call())));
  }
}

/**
 * @param {Answer} answer
 * @returns {HTMLElement[]}
 */
function shown({ status, statusText, ms, headers, text, json }) {
  const line = el('p', { class: status < 300 ? 'good' : 'bad' }, `${status} ${statusText}, ${ms} ms`);
  const worth = ['underpass-operation-id', 'retry-after', 'allow'].flatMap((name) => {
    const value = headers.get(name);
    return value === null ? [] : [`${name}: ${value}`];
  });
  const body = json === null ? text : JSON.stringify(json, null, 2);
  return [
    line,
    el('p', { class: 'quiet' }, worth.join(' · ')),
    ...(body === '' ? [] : [el('pre', {}, body)]),
  ];
}
