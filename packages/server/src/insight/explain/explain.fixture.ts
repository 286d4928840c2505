/** Compiled sites of an account, and explanations by them, without a daemon. */
import type { Hostname } from '../../core/names/hostname.ts';
import type { StoredDocument } from '../../documents/index.ts';
import { SiteTable, type SiteTableOptions } from '../../edge/compile/site-table.ts';
import type { FollowedKind } from '../../edge/compile/sources.ts';
import type { EdgeRules, EdgeSettings } from '../../edge/edge.ts';
import type { TunnelHandle } from '../../online/online.ts';
import type { ExplainFields } from '../../resources/standalone/explain.ts';
import { type Explanation, explain } from './explain.ts';
import { readQuestion } from './question.ts';

export const ACCOUNT = 'ac_1';

export interface Given extends Partial<SiteTableOptions> {
  readonly documents?: readonly StoredDocument<FollowedKind>[];
  /** Tunnels of names. */
  readonly tunnels?: readonly TunnelHandle[];
}

export function tableOf({ documents = [], tunnels = [], ...options }: Given): SiteTable {
  const online = {
    byName: (name: string) => tunnels.find(({ facts }) => facts.endpoint?.hostname === name),
    ...{ onNamed: () => {}, heldFor: () => undefined, matching: () => [] },
  };
  const table = new SiteTable({ online, ...options });
  table.reset(documents);
  return table;
}

const settings = {
  ...{ listen: { host: '0.0.0.0', port: 8443 }, httpListen: null, domain: 'example.net' as Hostname },
  ...{
    baseUrl: 'https://api.example.net',
    consoleHost: null,
    publicPort: 443,
    plainPort: null,
    errorPrefix: 'ERR_',
  },
} satisfies Partial<EdgeSettings>;

export function rulesOf(sites: SiteTable, changes: Partial<EdgeRules> = {}): EdgeRules {
  return {
    sites,
    services: new Map(),
    settings: settings as EdgeSettings,
    limits: { headBytes: 64 * 1024, fields: 200 },
    isIsolated: () => false,
    isAgentExpected: () => false,
    ...changes,
  };
}

export function explanationOf(
  rules: EdgeRules,
  fields: Partial<ExplainFields> & Pick<ExplainFields, 'url'>,
  account = ACCOUNT,
): Promise<Explanation> {
  const question = readQuestion({ client_ip: '192.0.2.1', ...fields });
  return explain(question, account, rules, Date.UTC(2026, 10, 28));
}
