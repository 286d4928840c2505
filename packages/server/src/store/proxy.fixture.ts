/** A store with other methods in the place of some, for tests of failures, races and counts. */
export function proxy<Of extends object>(store: Of, changed: Partial<Of>): Of {
  return new Proxy(store, {
    get(target, name) {
      const from = Object.hasOwn(changed, name) ? changed : target;
      const value: unknown = Reflect.get(from, name);
      return typeof value === 'function' ? value.bind(from) : value;
    },
  });
}
