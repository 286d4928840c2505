/**
 * The layers of the packages and of the server's folders, from the bottom up.
 * Invariant: every folder has a layer; the check refuses files in a folder that is not here.
 */

/** An import goes only to a folder of a layer below: those of one layer do not know each other. */
export type Layer = readonly Folder[];

export interface Folder {
  readonly name: string;
  /** The reason for the folder and for its place. */
  readonly what: string;
  /** Layers of the folders in it, with `.` for the files directly in it. Absent if it has none. */
  readonly inside?: readonly Layer[] | 'any';
}

const core: readonly Layer[] = [
  [
    { name: 'ip', what: 'addresses, ranges and rules of IP' },
    { name: 'modules', what: 'settings of modules, for documents and for traffic' },
  ],
  [
    { name: 'limits', what: 'caches and budgets that are fair between accounts' },
    { name: 'names', what: 'host names, ports and patterns' },
  ],
  [{ name: '.', what: 'the types of all folders' }],
  [{ name: 'filter', what: 'filters of lists, over any fields' }],
];

const pki: readonly Layer[] = [
  [{ name: 'ssh', what: 'keys and certificates of OpenSSH, for no resource in particular' }],
  [{ name: '.', what: 'certificates, authorities, sealed secrets' }],
];

const store: readonly Layer[] = [
  [{ name: '.', what: 'the contract, and what every database needs' }],
  [{ name: 'copy', what: 'what an installation is made of, and its way into another database' }],
  [
    { name: 'sqlite', what: 'a file' },
    { name: 'postgres', what: 'a server' },
  ],
  [{ name: 'databases', what: 'which of them an installation is in' }],
];

const resources: readonly Layer[] = [
  [{ name: '.', what: 'what a kind is, and what several kinds have in common' }],
  [
    { name: 'event-targets', what: 'a file for each place that events go to' },
    { name: 'modules', what: 'a file for each module, as it is configured' },
  ],
  [
    { name: 'kinds', what: 'a file for each kind' },
    { name: 'standalone', what: 'operations of the API that belong to no kind' },
  ],
  [{ name: 'engine', what: 'every operation, over all kinds' }],
];

const events: readonly Layer[] = [
  [{ name: 'targets', what: 'a file for each kind of place that events are sent to' }],
  [{ name: '.', what: 'events, their queues and their delivery' }],
];

const tunnels: readonly Layer[] = [
  [
    { name: 'options', what: 'options of a bind, parsed and checked' },
    { name: 'directory', what: 'tunnels of all daemons on one database, and the model of their rules' },
  ],
  [{ name: 'remote', what: 'sessions and tunnels of other daemons' }],
  [{ name: '.', what: 'sessions of agents, and the names they take' }],
  [{ name: 'ssh', what: 'sessions of SSH clients' }],
];

const modules: readonly Layer[] = [
  [
    { name: 'webhooks', what: 'how each sender of webhooks signs' },
    { name: 'login', what: 'modules with logins of visitors' },
  ],
  [{ name: '.', what: 'a file for each module' }],
];

const edge: readonly Layer[] = [
  [
    {
      name: 'sites',
      what: 'what a name leads to: sites, routes, guards, records, without what makes or serves them',
    },
  ],
  [
    { name: 'backends', what: 'where requests and connections end up' },
    { name: 'modules', what: 'a file for each module, as it acts on traffic', inside: modules },
  ],
  [
    { name: 'compile', what: 'documents in, sites out' },
    { name: 'http', what: 'requests, by the site that is handed to them' },
    { name: 'bytes', what: 'connections that are not parsed, by the same sites' },
  ],
  [{ name: 'listeners', what: 'ports, handshakes, and who gets a connection' }],
  [{ name: '.', what: 'the edge, wired together' }],
];

export const server: readonly Layer[] = [
  [
    { name: 'core', what: 'validated value types; pure', inside: core },
    { name: 'errors', what: 'the catalogue of error conditions' },
    { name: 'http-syntax', what: 'the strict parser of HTTP/1.1' },
  ],
  [
    { name: 'http2', what: 'HTTP/2 connections; messages in the form of HTTP/1.1' },
    { name: 'system', what: 'files, sockets and descriptors of the operating system' },
  ],
  [
    { name: 'http-server', what: 'reads requests from a connection; knows no resources' },
    { name: 'store', what: 'documents and their change log; knows no kinds', inside: store },
  ],
  [
    { name: 'documents', what: 'the stored shape of each kind' },
    { name: 'outbound', what: 'requests to servers that tenants name; no internal addresses' },
  ],
  [{ name: 'pki', what: 'certificates and secrets', inside: pki }],
  [
    { name: 'access', what: 'credentials and IP restrictions, for the API and the data plane' },
    { name: 'dns', what: 'DNS lookups of reserved names, and the DNS listener' },
    { name: 'link', what: 'links between the daemons of one database' },
    { name: 'health', what: 'readiness of the daemon, with the reasons' },
    { name: 'ssh', what: 'the SSH protocol, without logins and tunnels' },
    { name: 'login', what: 'logins of visitors, and the OIDC and OAuth clients' },
  ],
  [
    { name: 'online', what: 'the table of online tunnels; tunnels writes it' },
    { name: 'saml', what: 'SAML logins at identity providers' },
    { name: 'events', what: 'queues of events and their delivery to targets', inside: events },
  ],
  [
    { name: 'tunnels', what: 'agents, their sessions and names; knows no visitors', inside: tunnels },
    { name: 'edge', what: 'visitors; knows agents only through online', inside: edge },
    { name: 'resources', what: 'kinds, and the rules of their changes; knows no HTTP', inside: resources },
  ],
  [
    { name: 'api', what: 'the resources over HTTP' },
    { name: 'acme', what: 'certificates by ACME for reserved domains' },
    { name: 'operator', what: 'commands for operators' },
    { name: 'console', what: 'sign-in and sessions of the console' },
    { name: 'insight', what: 'what happens and why: requests, series, changes, reasons', inside: 'any' },
  ],
  [{ name: 'metrics', what: 'counters and series for all other folders' }],
  [{ name: 'command', what: 'options, their sources and checks; commands for operators' }],
  [
    { name: 'logs', what: 'lines of the log, for people and programs' },
    { name: 'setup', what: 'questions, and the config file and the service after them' },
  ],
  [{ name: 'daemon', what: 'the parts, wired together' }],
  [{ name: 'workers', what: 'several daemons on one machine, and their supervisor' }],
  [{ name: '.', what: 'the start of a command or of the daemon' }],
];

export const layers: readonly Layer[] = [
  [
    {
      name: 'wire',
      what: 'the agent protocol, for both of its ends, and how HTTP/2 is read on either',
      inside: 'any',
    },
    { name: 'client', what: 'the API client', inside: 'any' },
  ],
  [{ name: 'ui', what: 'components and forms of all pages; knows no service', inside: 'any' }],
  [{ name: 'dashboard', what: 'the pages of the service; knows it by the API alone', inside: 'any' }],
  [
    { name: 'agent', what: 'knows the server by the protocol and the API alone', inside: 'any' },
    { name: 'server', what: 'knows agents by the protocol alone', inside: server },
  ],
];

/** Importers that may, or may not, import packages and modules of Node by these names. */
export interface PackageRule {
  readonly names: RegExp;
  readonly only?: readonly string[];
  readonly never?: readonly string[];
  readonly why: string;
}

export const packageRules: readonly PackageRule[] = [
  { names: /^node:sqlite$/, only: ['server/store/sqlite'], why: 'one folder knows SQLite' },
  { names: /^dns-packet$/, only: ['server/dns'], why: 'one folder knows DNS packets' },
  { names: /^pg$/, only: ['server/store/postgres'], why: 'one folder knows PostgreSQL' },
  {
    names: /^typebox/,
    only: ['server/core'],
    why: 'its hundreds of files take a fifth of a start: Type is in core/type.ts',
  },
  {
    names: /^node:https?$/,
    only: ['agent', 'client', 'server/acme', 'server/outbound', 'server/events/targets'],
    why: 'it makes Node load a client at every start; clients of other servers are loaded on demand',
  },
  { names: /^openid-client$/, only: ['server/login'], why: 'one folder knows the protocol of providers' },
  {
    names: /^@(aws-sdk|smithy)\//,
    only: ['server/events/targets'],
    why: 'clients of the cloud are loaded with the first destination there',
  },
  { names: /^acme-client$/, only: ['server/acme'], why: 'it is loaded where certificates are got' },
  {
    names: /^(@?preact|uplot)\b/,
    only: ['ui', 'dashboard', 'agent/inspector/page'],
    why: 'only pages are drawn by it',
  },
  { names: /^@underpass\/client/, never: ['server'], why: 'the server is no client of itself' },
  { names: /^(?!node:|packages\/)/, never: ['wire', 'client'], why: 'wire and client need nothing but Node' },
];
