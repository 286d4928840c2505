/**
 * An engine that checks every response against the published schema of its kind, and every accepted body against the
 * request schema.
 */
import { checkConventions } from '../../../../test/harness/conventions.ts';
import { acceptedChecksIn, type Check, checkOf, closed } from '../../../../test/harness/strict-schema.ts';
import type { Collection, KindSurface, ResourceEngine } from './definition.ts';
import { UsedBy } from './used-by.ts';

/** The API's base URL on every platform of these tests. */
const BASE = 'https://api.underpass.localhost:8443';

const answerChecks = new WeakMap<object, Check>();
const bodyChecks = new WeakMap<object, Check>();

/** Returns the check of a schema, compiled once. */
function checkIn(checks: WeakMap<object, Check>, schema: object, make: (schema: object) => Check): Check {
  const check = checks.get(schema) ?? make(schema);
  checks.set(schema, check);
  return check;
}

function answers<T>(schema: object, value: T, what: string): T {
  checkIn(answerChecks, schema, (one) => checkOf(closed(one)))(value, what);
  checkConventions(value, BASE, what);
  return value;
}

/** `path` are the parameters that a body may repeat. */
function accepted(
  schema: object | undefined,
  body: unknown,
  path: Record<string, string>,
  what: string,
): void {
  if (schema === undefined) return;
  const fields = Object.entries(body as object).filter(([name, value]) => path[name] !== value);
  const check = checkIn(bodyChecks, schema, (one) => acceptedChecksIn(JSON.parse(JSON.stringify(one)))(''));
  check(Object.fromEntries(fields), `${what} accepted this`);
}

function moduleOf(kind: KindSurface, name: string) {
  const module = kind.modules.find((one) => one.name === name);
  if (module === undefined) throw new Error(`${kind.name} has no module ${name}`);
  return module;
}

function elementsOf({ name, elements }: KindSurface) {
  if (elements === undefined) throw new Error(`${name} has no elements`);
  return elements;
}

/** Returns the path parameters that a body may repeat. */
function pathOf({ kind, parent }: Collection, id?: string): Record<string, string> {
  const [, parameter] = /\{(\w+)\}/.exec(kind.path) ?? [];
  return {
    ...(parameter === undefined || parent === undefined ? {} : { [parameter]: parent }),
    ...(id === undefined ? {} : { id }),
  };
}

/** Published clients send a module's configuration as `module`, beside the parameters of the path. */
function unwrapped(body: unknown): unknown {
  return (body as { module?: unknown }).module ?? body;
}

export function contractChecked(engine: ResourceEngine): ResourceEngine {
  return {
    kinds: engine.kinds,
    async create(of, principal, body, state) {
      const made = await engine.create(of, principal, body, state);
      accepted(of.kind.create, body, pathOf(of), `creating a ${of.kind.name}`);
      return answers(of.kind.read, made, `the new ${of.kind.name}`);
    },
    async get(of, principal, id, state) {
      return answers(of.kind.read, await engine.get(of, principal, id, state), `the ${of.kind.name}`);
    },
    async list(of, principal, page) {
      const listed = await engine.list(of, principal, page);
      for (const item of listed.items) answers(of.kind.read, item, `a ${of.kind.name} of the list`);
      return listed;
    },
    async usedBy(of, principal, id, page) {
      const listed = await engine.usedBy(of, principal, id, page);
      for (const item of listed.items) answers(UsedBy, item, `a user of a ${of.kind.name}`);
      return listed;
    },
    async update(of, principal, id, body, state) {
      const updated = await engine.update(of, principal, id, body, state);
      accepted(of.kind.update, body, pathOf(of, id), `updating a ${of.kind.name}`);
      return answers(of.kind.read, updated, `the updated ${of.kind.name}`);
    },
    remove: (of, principal, id, state) => engine.remove(of, principal, id, state),
    async putModule(of, principal, id, name, body, state) {
      const module = moduleOf(of.kind, name);
      const shown = await engine.putModule(of, principal, id, name, body, state);
      accepted(module.write, unwrapped(body), pathOf(of, id), `putting ${name}`);
      return answers(module.read, shown, `the new ${name}`);
    },
    async getModule(of, principal, id, name, state) {
      return answers(
        moduleOf(of.kind, name).read,
        await engine.getModule(of, principal, id, name, state),
        name,
      );
    },
    removeModule: (of, principal, id, name, state) => engine.removeModule(of, principal, id, name, state),
    detach: (of, principal, id, name, state) => engine.detach(of, principal, id, name, state),
    async view(of, principal, id, name) {
      const view = of.kind.views?.find((one) => one.name === name);
      if (view === undefined) throw new Error(`${of.kind.name} has no view ${name}`);
      return answers(view.read, await engine.view(of, principal, id, name), name);
    },
    async act(of, principal, id, name) {
      const result = of.kind.actions?.find((one) => one.name === name)?.result;
      const done = await engine.act(of, principal, id, name);
      return result === undefined || done === null ? done : answers(result.read, done, name);
    },
    async addElement(of, principal, id, body, state) {
      const elements = elementsOf(of.kind);
      const element = await engine.addElement(of, principal, id, body, state);
      accepted(elements.create, body, { [elements.parameter]: id }, `adding to ${elements.name}`);
      return answers(elements.read, element, `the new one of ${elements.name}`);
    },
    async listElements(of, principal, id, page) {
      const elements = elementsOf(of.kind);
      const listed = await engine.listElements(of, principal, id, page);
      for (const element of listed) answers(elements.read, element, `one of ${elements.name}`);
      return listed;
    },
    async getElement(of, principal, id, key, state) {
      const elements = elementsOf(of.kind);
      return answers(
        elements.read,
        await engine.getElement(of, principal, id, key, state),
        `one of ${elements.name}`,
      );
    },
    async updateElement(of, principal, id, key, body, state) {
      const elements = elementsOf(of.kind);
      const element = await engine.updateElement(of, principal, id, key, body, state);
      const path = { [elements.parameter]: id, [elements.key]: key };
      accepted(elements.update, body, path, `updating one of ${elements.name}`);
      return answers(elements.read, element, `the updated one of ${elements.name}`);
    },
    removeElement: (of, principal, id, key, state) => engine.removeElement(of, principal, id, key, state),
  };
}
