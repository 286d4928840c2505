/** Matches the path of a page against templates such as `names/{name}`. */

export type Params = Readonly<Record<string, string>>;

/** The values of the parameters, decoded; null if the template does not match. */
export function matchPath(template: string, path: string): Params | null {
  const wanted = template === '' ? [] : template.split('/');
  const given = path === '' ? [] : path.split('/');
  const params: Record<string, string> = {};
  for (const [at, part] of wanted.entries()) {
    const value = given[at];
    if (value === undefined) return null;
    const name = /^\{(\w+)\}$/.exec(part)?.[1];
    if (name === undefined && part !== value) return null;
    if (name !== undefined) {
      const decoded = decode(value);
      if (decoded === null || decoded === '') return null;
      params[name] = decoded;
    }
  }
  return given.length === wanted.length ? params : null;
}

function decode(text: string): string | null {
  try {
    return decodeURIComponent(text);
  } catch {
    return null;
  }
}
