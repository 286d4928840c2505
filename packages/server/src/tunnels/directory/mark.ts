/** A state of a daemon that others follow: it sends its agents to other daemons, or it is isolated. */
export class Mark {
  readonly #listeners: ((is: boolean) => void)[] = [];
  #is = false;

  get is(): boolean {
    return this.#is;
  }

  /** Takes the value; undefined: it is not known yet. */
  set(is: boolean | undefined): void {
    if (is === undefined || is === this.#is) return;
    this.#is = is;
    for (const listener of this.#listeners) listener(is);
  }

  /** Calls the listener at each change, and at once if the mark is set already. */
  onChange(listener: (is: boolean) => void): void {
    this.#listeners.push(listener);
    if (this.#is) listener(true);
  }
}
