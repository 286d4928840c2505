/** docs/run/metrics.md, made from what `/metrics` itself says of each metric, and from the reasons that `/readyz` may have. */
import { apiReasonMeanings, reasonMeanings, warningMeanings } from '../health/readiness.ts';

const HEAD = `# Health and metrics

Made from \`packages/server/src/metrics\` and \`health/readiness.ts\`; do not edit.

The listener of \`--admin-listen\` is the first that opens and the last that closes. \`GET /healthz\` answers 200 for as long as the process
lives: a daemon that does not is to be started again. \`GET /readyz\` answers 200 or 503, for whoever sends it traffic:

\`\`\`json
{"ready":false,"reasons":[{"reason":"draining","message":"the daemon is stopping"}],"warnings":[]}
\`\`\`

| reason | |
|---|---|
`;

const API_REASONS = `
A balancer must not lose all daemons at once. A cause that all daemons of one database share is a warning of \`GET /readyz\`, which stays 200.
\`GET /readyz?for=api\` answers 503 for these causes too; use it for a balancer that serves the API alone:

| reason of \`?for=api\`, else warning | |
|---|---|
`;

const WARNINGS = `
A warning is for people to look at, and leaves the daemon ready:

| warning | |
|---|---|
`;

const METRICS = `
## Metrics

\`GET /metrics\` answers in the text format of Prometheus. What is said beside these are the usual metrics of a
Node process (\`process_…\`, \`nodejs_…\`). Labels have values from lists of the program, or ids of
the first edges, routes and backends that were visited, never what somebody has sent. What the system refuses and what
becomes of events, handshakes and the store has all of its series from the start, at 0, so that alerts see the first failure, too.

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
