/** What a test needs of the machine and may not find. Never that a test is skipped where everything has to be run. */

/**
 * For node:test's `skip`: false when it is there, else the reason. `name` is what is not there, `install` the Debian packages that bring
 * it. Where CI is set the gate has installed them, so that it is an error there.
 */
export function missing(name: string, isThere: boolean, ...install: readonly string[]): string | false {
  if (isThere) return false;
  const reason = `${name} is not installed: apt-get install ${install.join(' ')}`;
  if (process.env.CI === 'true') throw new Error(`nothing is skipped where CI is set, and ${reason}`);
  return reason;
}
