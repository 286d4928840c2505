/** Lists the resources that refer to one, by the links of the store. */
import { Type } from '../core/type.ts';
import type { DocumentStore } from '../documents/index.ts';
import type { JsonObject } from '../store/store.ts';
import type {
  DocumentOf,
  ListedPage,
  PageRequest,
  Principal,
  ResourceKind,
  ShowContext,
} from './definition.ts';

/** A reference to a resource, as the API shows it. */
export const UsedBy = Type.Object(
  {
    id: Type.String({ description: 'The id of the resource that refers to this one.' }),
    uri: Type.String({ description: 'URL of that resource.' }),
    kind: Type.String({ description: 'Its kind, such as `tls_edge`: see x-kinds.' }),
    field: Type.String({ description: 'Its field with the reference, such as `backend.backend_id`.' }),
  },
  { $id: 'UsedBy', description: 'A resource that refers to another one.' },
);

/** Fields of one resource that can refer to the same other one. Further ones are not shown. */
const MOST_FIELDS = 16;

interface Link {
  readonly from: string;
  readonly field: string;
}

/** Returns a page by descending ids. All fields of one resource are on one page. Resources that the caller may not see are left out. */
export async function listUsers(
  id: string,
  { limit, before }: PageRequest,
  { account, ...caller }: Principal,
  kinds: ReadonlyMap<string, ResourceKind>,
  store: Pick<DocumentStore, 'linksBefore' | 'get'>,
  { ref }: ShowContext,
): Promise<ListedPage> {
  const links = await store.linksBefore(id, limit + MOST_FIELDS, before);
  const page = wholeUsers(links, limit);
  const ids = [...new Set(page.map(({ from }) => from))];
  const documents = new Map<string, DocumentOf>();
  for (const document of await Promise.all(ids.map((one) => store.get(one)))) {
    const kind = document === null ? undefined : kinds.get(document.kind);
    if (document === null || document.account !== account || kind?.source !== 'stored') continue;
    if (kind.visible?.(document.body, { account, ...caller }) ?? true) documents.set(document.id, document);
  }
  const items = page.flatMap(({ from, field }): JsonObject[] => {
    const document = documents.get(from);
    if (document === undefined) return [];
    const { kind, parent } = document;
    return [{ ...ref(from, parent ?? ''), kind, field: field.replace(/\.[*~]/g, '') }];
  });
  return { items, next: page.length < links.length ? (page.at(-1)?.from ?? null) : null };
}

/** Returns the first links, about as many as the limit, with all links of their documents. */
function wholeUsers(links: readonly Link[], limit: number): readonly Link[] {
  let end = Math.min(limit, links.length);
  const first = links[0]?.from;
  const isInside = () => end < links.length && links[end]?.from === links[end - 1]?.from;
  // The last resource is for the next page, unless the page has no other one.
  while (isInside() && links[end - 1]?.from !== first) end -= 1;
  while (isInside()) end += 1;
  return links.slice(0, end);
}
