/** URLs of the pages of a list. */
import type { QueryValues } from '../resources/standalone/definition.ts';

/** Returns the URL of a page with these parameters. */
export function pageUri(baseUrl: string, path: string, query: QueryValues): string {
  const parameters = new URLSearchParams(
    Object.entries(query).map(([name, value]): [string, string] => [name, String(value)]),
  );
  return `${baseUrl}${path}?${parameters}`;
}
