/** Writes docs/run/metrics.md from the help texts in `/metrics`, and from the reasons of `/readyz`. */
import { apiReasonMeanings, reasonMeanings, warningMeanings } from '../health/readiness.ts';

const HEAD = `# Health and metrics

Made from \`packages/server/src/metrics\` and \`health/readiness.ts\`; do not edit.

The listener of \`--admin-listen\` is the first that opens and the last that closes. \`GET /healthz\` returns 200 for as long as the process
lives: restart a daemon that does not. \`GET /readyz\` returns 200 or 503, for balancers:

\`\`\`json
{"ready":false,"reasons":[{"reason":"draining","message":"the daemon is stopping"}],"warnings":[]}
\`\`\`

| reason | |
|---|---|
`;

const API_REASONS = `
A balancer must not lose all daemons at once. A cause that all daemons of one database share is a warning of \`GET /readyz\`, which stays 200.
\`GET /readyz?for=api\` returns 503 for these causes too; use it for a balancer that serves the API alone:

| reason of \`?for=api\`, else warning | |
|---|---|
`;

const WARNINGS = `
A warning is for operators. The daemon stays ready:

| warning | |
|---|---|
`;

const METRICS = `
## Metrics

\`GET /metrics\` returns the text format of Prometheus, with the usual metrics of a Node process
(\`process_…\`, \`nodejs_…\`) beside these. Labels have values from lists of the program, or ids of the first edges, routes
and backends with visitors. They never contain a client's text.
With \`--workers\` they are sums; [Workers](workers.md#what-is-seen-from-outside) lists those with a label \`worker\` instead. Series of refusals, events, handshakes and the store start at
0, so that alerts notice the first failure, too.

| metric | type | |
|---|---|---|
`;

/** `text`: an answer of `/metrics`. */
export function metricsMarkdown(text: string): string {
  const types = new Map(
    [...text.matchAll(/^# TYPE (\S+) (\S+)$/gm)].map(([, name = '', type = '']) => [name, type]),
  );
  const rows = [...text.matchAll(/^# HELP (underpass_\S+) (.*)$/gm)]
    .map(([, name = '', help = '']) => `| \`${name}\` | ${types.get(name)} | ${help} |\n`)
    .sort();
  return [
    HEAD,
    meanings(reasonMeanings),
    API_REASONS,
    meanings(apiReasonMeanings),
    WARNINGS,
    meanings(warningMeanings),
    METRICS,
    ...rows,
  ].join('');
}

function meanings(meaningOf: Readonly<Record<string, string>>): string {
  return Object.entries(meaningOf)
    .map(([name, meaning]) => `| \`${name}\` | ${meaning} |\n`)
    .join('');
}
