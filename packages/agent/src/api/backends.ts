/** Replaces the backend of edges and routes by a text about it, for tables. */
import { kindOfId, resourceOf } from './catalogue.ts';
import { isRow } from './lookup.ts';
import type { Resources, Row } from './resources.ts';

/** A failover backend may hold weighted backends. */
const DEPTH = 3;

/** The rows with texts in place of backends: `tunnels app=shop`. Rejects with a ClientError. */
export async function withBackends(resources: Resources, rows: readonly Row[]): Promise<readonly Row[]> {
  const shown: Row[] = [];
  for (const row of rows) shown.push(await shownRow(resources, row));
  return shown;
}

async function shownRow(resources: Resources, row: Row): Promise<Row> {
  const { routes } = row;
  if (isModule(row.backend)) return { ...row, backend: await moduleText(resources, row.backend) };
  if (!Array.isArray(routes)) return row;
  const texts: string[] = [];
  for (const route of routes.filter(isRow)) {
    const path = `${String(route.match)}${route.match_type === 'path_prefix' ? '*' : ''}`;
    const to = isModule(route.backend) ? await moduleText(resources, route.backend) : 'none';
    texts.push(`${path} to ${to}`);
  }
  return { ...row, backend: texts.join(', ') };
}

interface BackendModule {
  readonly enabled: boolean;
  readonly backend: { readonly id: string };
}

function isModule(value: unknown): value is BackendModule {
  return isRow(value) && isRow(value.backend) && typeof value.backend.id === 'string';
}

async function moduleText(resources: Resources, { enabled, backend }: BackendModule): Promise<string> {
  const text = await backendText(resources, backend.id, DEPTH);
  return enabled ? text : `${text} (off)`;
}

/** The id itself for a backend that is gone or of an unknown kind. */
async function backendText(resources: Resources, id: string, depth: number): Promise<string> {
  const kind = kindOfId(id);
  if (kind === null || depth === 0) return id;
  const item = (await resources.all(resourceOf(kind.name))).find((it) => it.id === id);
  if (item === undefined) return id;
  const { labels, address, status_code: status, backends } = item;
  if (isRow(labels)) return `tunnels ${pairs(labels)}`;
  if (typeof address === 'string') return `static ${address}`;
  if (typeof status === 'number') return `response ${status}`;
  const texts: string[] = [];
  for (const one of Array.isArray(backends) ? backends : Object.keys(backends ?? {})) {
    const weight = isRow(backends) ? ` = ${String(backends[one])}` : '';
    texts.push(`${await backendText(resources, String(one), depth - 1)}${weight}`);
  }
  return `${Array.isArray(backends) ? 'failover' : 'weighted'} (${texts.join(', ')})`;
}

function pairs(labels: Row): string {
  return Object.entries(labels)
    .map(([key, value]) => `${key}=${String(value)}`)
    .join(',');
}
