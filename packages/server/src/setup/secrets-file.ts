/**
 * The file of variables with secrets, which systemd reads for the service (`EnvironmentFile=`).
 * Invariant: lines of other variables stay as they are.
 */

/** Returns the value of a variable; null without it. */
export function secretIn(text: string, name: string): string | null {
  for (const line of text.split('\n')) {
    if (!line.startsWith(`${name}=`)) continue;
    const value = line.slice(name.length + 1).trim();
    const [, quoted] = /^"(.*)"$/.exec(value) ?? [];
    if (quoted !== undefined) return quoted.replace(/\\(.)/g, '$1');
    return /^'(.*)'$/.exec(value)?.[1] ?? value;
  }
  return null;
}

/** Sets a variable; null takes it out. */
export function withSecret(text: string, name: string, value: string | null): string {
  if (secretIn(text, name) === value) return text;
  const others = text.split('\n').filter((line) => line !== '' && !line.startsWith(`${name}=`));
  const line = value === null ? [] : [`${name}="${value.replace(/["\\$`]/g, '\\$&')}"`];
  const lines = [...others, ...line];
  return lines.length === 0 ? '' : `${lines.join('\n')}\n`;
}

/** Returns the variable of an option. */
export function variableOf(flag: string): string {
  return `UNDERPASS_${flag.toUpperCase().replaceAll('-', '_')}`;
}
