/** The pages: the address of each, its title, and the chunk that is loaded when it is opened. */
import type { Page } from './page.ts';

export interface Route {
  /** The path below `/ui/`, such as `names/{name}`. */
  readonly path: string;
  readonly title: string;
  /** The entry of the navigation that is highlighted: its path. */
  readonly entry: string;
  readonly load: () => Promise<{ readonly default: Page }>;
}

/** The navigation, in its order. */
export const ENTRIES: readonly (readonly [path: string, title: string])[] = [
  ['', 'Home'],
  ['names', 'Names'],
  ['traffic', 'Traffic'],
  ['agents', 'Agents'],
  ['access', 'Access'],
  ['certificates', 'Certificates'],
  ['events', 'Events'],
  ['audit', 'Audit'],
  ['resources', 'Resources'],
  ['system', 'System'],
];

const resourceList = () => import('./pages/resource-list.tsx');
const resourceNew = () => import('./pages/resource-new.tsx');
const resource = () => import('./pages/resource.tsx');
const access = () => import('./pages/access.tsx');

export const ROUTES: readonly Route[] = [
  { path: '', title: 'Home', entry: '', load: () => import('./pages/home.tsx') },
  { path: 'names', title: 'Names', entry: 'names', load: () => import('./pages/names.tsx') },
  { path: 'names/{name}', title: 'Name', entry: 'names', load: () => import('./pages/name.tsx') },
  { path: 'traffic', title: 'Traffic', entry: 'traffic', load: () => import('./pages/traffic.tsx') },
  {
    path: 'traffic/{id}',
    title: 'Request',
    entry: 'traffic',
    load: () => import('./pages/traffic-request.tsx'),
  },
  {
    path: 'address-rule',
    title: 'Allow or deny an address',
    entry: 'traffic',
    load: () => import('./pages/address-rule.tsx'),
  },
  { path: 'explain', title: 'Explain', entry: 'traffic', load: () => import('./pages/explain.tsx') },
  { path: 'add-agent', title: 'Add an agent', entry: 'agents', load: () => import('./pages/add-agent.tsx') },
  { path: 'agents', title: 'Agents', entry: 'agents', load: () => import('./pages/agents.tsx') },
  { path: 'agents/{id}', title: 'Agent', entry: 'agents', load: () => import('./pages/agent.tsx') },
  { path: 'access', title: 'Credentials', entry: 'access', load: access },
  { path: 'access/ssh-credentials', title: 'SSH credentials', entry: 'access', load: access },
  { path: 'access/api-keys', title: 'API keys', entry: 'access', load: access },
  { path: 'access/users', title: 'Users', entry: 'access', load: access },
  { path: 'access/bot-users', title: 'Bot users', entry: 'access', load: access },
  { path: 'access/ip-policies', title: 'IP policies', entry: 'access', load: access },
  { path: 'access/ip-policies/{policy}', title: 'IP policy', entry: 'access', load: access },
  { path: 'access/logins', title: "Visitors' logins", entry: 'access', load: access },
  { path: 'access/sessions', title: 'Sessions', entry: 'access', load: access },
  {
    path: 'certificates',
    title: 'Certificates',
    entry: 'certificates',
    load: () => import('./pages/certificates.tsx'),
  },
  { path: 'events', title: 'Events', entry: 'events', load: () => import('./pages/events.tsx') },
  { path: 'audit', title: 'Audit', entry: 'audit', load: () => import('./pages/audit.tsx') },
  { path: 'resources', title: 'Resources', entry: 'resources', load: () => import('./pages/resources.tsx') },
  { path: 'resources/{kind}', title: 'Resources', entry: 'resources', load: resourceList },
  { path: 'resources/{kind}/new', title: 'New resource', entry: 'resources', load: resourceNew },
  { path: 'resources/{kind}/{id}', title: 'Resource', entry: 'resources', load: resource },
  { path: 'id/{id}', title: 'Resource', entry: 'resources', load: () => import('./pages/by-id.tsx') },
  { path: 'system', title: 'System', entry: 'system', load: () => import('./pages/system.tsx') },
];
