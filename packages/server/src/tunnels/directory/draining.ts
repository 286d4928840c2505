/** The mark that a daemon sends its agents to others, as its row in the directory has it. */
export class Draining {
  readonly #listeners: ((isDraining: boolean) => void)[] = [];
  #is = false;

  get is(): boolean {
    return this.#is;
  }

  /** Takes the value of the row; undefined: the row is not known yet. */
  set(is: boolean | undefined): void {
    if (is === undefined || is === this.#is) return;
    this.#is = is;
    for (const listener of this.#listeners) listener(is);
  }

  /** Calls the listener at each change, and at once if the daemon drains already. */
  onChange(listener: (isDraining: boolean) => void): void {
    this.#listeners.push(listener);
    if (this.#is) listener(true);
  }
}
