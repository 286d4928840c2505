/** Writes docs/run/options.md from the table of options, in groups and with more detail than `--help` has room for. */
import { OPTIONS, type OptionSpec } from './options.ts';

interface Group {
  readonly title: string;
  /** Flags in the order of the page, with what `--help` leaves out; an empty text adds nothing. */
  readonly options: Readonly<Record<string, string>>;
}

export const GROUPS: readonly Group[] = [
  {
    title: 'Addresses and names',
    options: {
      domain: 'Tunnels, the API and logins have names below it.',
      listen: '',
      'http-listen':
        'The API is refused here, because its keys would be readable. Unknown names get 404. Certificate authorities use this port for HTTP-01.',
      'ssh-listen':
        'SSH credentials are the keys. `npm start` uses `127.0.0.1:2222`. The public halves of the host keys are in the data dir: `ssh_host_key.pub` and `ssh_host_ecdsa_key.pub`. Certificates beside them (`…-cert.pub`) are sent to clients.',
      'dns-listen': 'Give an address of the machine itself. [Domains](../edge/domains.md) explains the zone.',
      'tcp-ports': 'The daemon listens on the ports of TCP edges, at the host of `--listen`.',
      'base-url': '',
      'console-host':
        '[Console](../use/console.md#a-domain-of-its-own) explains it. Give all daemons the same.',
      region: '',
      'admin-listen': 'They need no login: keep the port private. [Metrics](metrics.md) lists them.',
      'admin-host':
        'Browsers may otherwise use only the address or `localhost`. [Monitoring](monitoring.md#host-names) explains why.',
      'proxy-protocol-from':
        'Connections from this range must begin with a PROXY protocol header, version 1 or 2, at all ports of visitors, agents and SSH clients. [Balancers](balancers.md) has the files. Rules, limits and logs use the address in it. Headers from other addresses are refused.',
    },
  },
  {
    title: 'State',
    options: {
      'data-dir':
        'The first start writes `bootstrap.json` (mode 0600), `ca.pem` and `join.json` there. Later starts keep the addresses in them up to date.',
      database:
        'PostgreSQL 13 or newer. The daemon reads URLs [as libpq does](postgresql.md#the-url). A password in `UNDERPASS_DATABASE` or `PGPASSWORD` is not visible in the list of processes.',
      workers: '`auto` is 1 on SQLite. [Workers](workers.md) explains what they share.',
      'worker-timeout': 'A worker that has never been ready is not killed.',
      'node-name':
        'Give each daemon a name of its own that stays the same over restarts, for example in containers, whose host names change.',
      alone: 'Use it with one daemon on PostgreSQL. SQLite has one daemon in any case.',
      'no-wait-for-nodes':
        'A change then holds at other daemons some milliseconds later. [PostgreSQL](postgresql.md#what-the-daemons-share) describes the wait.',
      'link-listen':
        'Daemons of one user on one machine reach each other without it, by Unix sockets. The daemons prove themselves with certificates of the local authority. [Several machines](postgresql.md#several-machines) has an example.',
      'link-address': 'Needed if `--link-listen` names every address.',
      grace:
        'A daemon ends its tunnels after 85 % of this time. Without `--alone` it holds for one daemon on PostgreSQL, too; with SQLite there is no limit.',
      'isolate-seconds': 'From 20 s. [Isolation](cluster.md#when-a-daemon-loses-the-database) explains it.',
    },
  },
  {
    title: 'Certificates and proofs of names',
    options: {
      'tls-cert':
        'The daemon checks the files every three seconds and at SIGHUP. Without them the local authority signs. [Domains](../edge/domains.md) explains which names they serve.',
      'tls-key': '',
      'acme-directory':
        'Reserved domains with a `certificate_management_policy` get certificates, and so do hosts of `--base-url` and `--console-host` outside the domain.',
      'acme-service-names': 'Needs `--acme-directory`.',
      'acme-email': '',
      'acme-ca': 'Without it, the daemon trusts the authorities of Node.',
      'acme-eab-kid': '',
      'acme-eab-hmac-key': 'The list of processes does not show the variable.',
      'acme-orders-per-hour':
        'One account cannot use up what the authority allows the whole service. Certificates of the service itself do not count.',
      'dns-hook':
        'The variable `DNS_RECORD` has the whole record, because a value may begin with `-`, which tools read as an option. Variables `UNDERPASS_…` are not passed on. The daemon waits until `--dns-resolver` returns the text, then requests the check of the authority.',
      'dns-resolver': '',
      'require-domain-proof':
        'A name without proof gets 404 (code 60670). `GET /reserved_domains/{id}/proof` returns the records that prove it. Recommended if strangers have accounts.',
    },
  },
  {
    title: 'Limits',
    options: {
      connections: '`ulimit -n`, or `LimitNOFILE` of a systemd unit, sets the number of file descriptors.',
      'connections-per-source': 'Unless it is given, one source alone gets at most half of all connections.',
      'handshake-seconds': '',
      'head-seconds': '',
      'head-bytes': 'The limit holds for responses of upstreams, too.',
      'request-head-bytes':
        'Each field counts 32 bytes more than its text. At most `--head-bytes`. Larger requests get 431.',
      'idle-seconds': '',
      'body-seconds': '',
      'api-rate-limit': '',
      'leave-seconds':
        'A daemon that stops, or that `underpassd nodes drain` names, sends its agents to the other daemons evenly over this time, the oldest first.',
      'drain-seconds': '[Restart](restart.md) explains the steps of a stop.',
    },
  },
  {
    title: 'Logs',
    options: {
      'log-level': 'Lines go to stderr. SIGHUP reads the level from the file again.',
      'log-format': '`json` writes one object a line, also for an error that ends the start.',
      'access-log':
        '`errors` logs requests and connections that the edge refused or ended itself, with the reason. `all` logs every one and costs CPU. SIGHUP reads the value from the file again.',
      'request-log':
        'The API lists the last failed requests of an account, and others while a client reads the list. `redacted` hides values of queries and the last part of addresses, `full` hides nothing, and `off` records nothing.',
      'body-recordings':
        'A member or admin can record the bodies of one edge, or one endpoint of an agent, for at most an hour. They are in memory only, and gone an hour later. The audit trail has each begin and end.',
    },
  },
  {
    title: 'Outside services',
    options: {
      'allow-private':
        'Without it, static backends and event targets cannot reach loopback, private and other special addresses, and reserved names cannot lead there.',
      'oauth-client':
        'Redirect URI of the application: `https://idp.<domain>/oauth2/callback`. [Protect](../use/protect.md) explains logins.',
      'monitoring-intake-url': 'The daemon appends `/api/v2/logs`.',
    },
  },
  {
    title: 'Sign-in to the console',
    options: {
      'dashboard-oidc':
        'Redirect URI of the client: `/ui/oidc/callback` of the console, such as `https://api.<domain>/ui/oidc/callback`. [Console](../use/console.md#sign-in-at-a-provider) explains the sign-in.',
      'dashboard-oidc-client-id': 'Needed with `--dashboard-oidc`.',
      'dashboard-oidc-client-secret-file': 'Needed with `--dashboard-oidc`. The file is read at the start.',
      'dashboard-oidc-role':
        'Needed with `--dashboard-oidc`. Of several roles the one with most rights counts. Names are compared exactly.',
      'dashboard-oidc-groups-claim':
        'The claim is a list of texts, in the ID token or the userinfo response.',
      'dashboard-oidc-scope': 'Some providers state groups only with the scope `groups`.',
      'dashboard-oidc-account': 'Needed if there are several accounts.',
    },
  },
  {
    title: 'API clients of other services',
    options: {
      'version-header': '',
      'error-prefix': '',
      profile: '[Other clients](../build/profile.md) explains the file.',
    },
  },
];

const HEAD = `# Options of underpassd

Made from \`packages/server/src/command/options.ts\`; do not edit.

Each option is a flag, a variable and a key of a YAML file. \`--data-dir\` is the variable \`UNDERPASS_DATA_DIR\` and the key \`data-dir\`.
Flags win over variables, and variables over the file. \`--config FILE\` or \`UNDERPASS_CONFIG\` names the file. \`underpassd --help\` lists all options.

An option that is repeatable takes several flags, a list in the file, or a variable with commas.

## Signals

- **SIGTERM and SIGINT** stop the daemon. Open requests may finish for \`--drain-seconds\`. A second signal, more than a second later, ends it at once.
- **SIGHUP** reads \`log-level\` and \`access-log\` from the file, and the files of \`--tls-cert\`, again. In a terminal SIGHUP means that the terminal
  was closed: the daemon stops as after SIGTERM.
`;

/** Returns the page. Throws if an option has no group, or a group names an option that does not exist. */
export function optionsMarkdown(options: readonly OptionSpec[] = OPTIONS): string {
  const left = new Map(options.map((option) => [option.flag, option]));
  const sections = GROUPS.map(({ title, options: details }) => {
    const rows = Object.entries(details).map(([flag, detail]) => {
      const option = left.get(flag);
      if (option === undefined) throw new Error(`a group names the unknown option --${flag}`);
      left.delete(flag);
      return rowOf(option, detail);
    });
    return `\n## ${title}\n\n| option | default | description |\n|---|---|---|\n${rows.join('\n')}\n`;
  });
  if (left.size > 0) throw new Error(`no group has ${[...left.keys()].join(', ')}`);
  return `${HEAD}${sections.join('')}`;
}

function rowOf({ flag, argument, help, repeatable }: OptionSpec, detail: string): string {
  const [, text = help, value] = /^(.*?)(?: \(default (.*)\))?$/s.exec(help) ?? [];
  const name = argument === undefined ? `--${flag}` : `--${flag} ${argument}`;
  const what = [sentence(text), repeatable ? 'Repeatable.' : '', detail]
    .filter((part) => part !== '')
    .join(' ');
  return `| \`${name}\` | ${escaped(value ?? 'none')} | ${escaped(what)} |`;
}

const sentence = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;

/** Escapes Markdown outside of code spans, and marks flags and variables as code. */
const escaped = (text: string): string =>
  text
    .split(/(`[^`]*`)/)
    .map((part, index) =>
      index % 2 === 1
        ? part
        : part.replaceAll(
            /(?<!\S)(--[a-z-]+|[^\s(]*(?:<[a-z]+>|:\/\/|UNDERPASS_)[^\s,;)]*[^\s,;).])/g,
            '`$1`',
          ),
    )
    .join('')
    .replaceAll('|', '\\|');
