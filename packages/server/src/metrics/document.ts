/** docs/metrics.md, made from what `/metrics` itself says of each metric. */

const INTRO = `# Metrics

Made from \`packages/server/src/metrics\`; do not edit.

\`GET /metrics\` of \`--admin-listen\` answers in the text format of Prometheus. What is said beside these are the usual metrics of a
Node process (\`process_…\`, \`nodejs_…\`). Labels have values from lists of the program, never what somebody has sent.

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
  return `${INTRO}${rows.join('')}`;
}
