/**
 * Counts sentences that break the rules of plain words (CONTRIBUTING.md), in sources and pages.
 * Exits with 1 if a count is above scripts/words/baseline.json, or if an exception has no place.
 * `--list [rule] [path…]` prints the places instead; `--update` lowers the baseline to the counts.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { type Counts, compare, countsOf, placesOf, withoutExceptions } from './words/count.ts';
import { EXCEPTIONS } from './words/exceptions.ts';
import { textsOfFile, wordFiles } from './words/files.ts';
import { DESCRIPTIONS, RULES } from './words/rules.ts';

const BASELINE = 'scripts/words/baseline.json';

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: { list: { type: 'boolean' }, update: { type: 'boolean' } },
});
const places = wordFiles().flatMap((file) => placesOf(file, textsOfFile(file)));
const { counted, unused } = withoutExceptions(places, EXCEPTIONS);

if (options.list === true) {
  const rules = RULES.filter((rule) => positionals.includes(rule));
  const paths = positionals.filter((name) => !RULES.some((rule) => rule === name));
  const listed = counted.filter(
    ({ rule, file }) =>
      (rules.length === 0 || rules.includes(rule)) &&
      (paths.length === 0 || paths.some((path) => file.startsWith(path))),
  );
  for (const { rule, file, line, text } of listed) console.log(`${file}:${line}: ${rule}: ${text}`);
  console.log(`${listed.length} places`);
} else {
  const counts = countsOf(counted);
  const baseline: Counts = JSON.parse(readFileSync(BASELINE, 'utf8'));
  const { above, below } = compare(counts, baseline);
  for (const rule of RULES) console.log(`${String(counts[rule]).padStart(6)}  ${DESCRIPTIONS[rule]}`);
  if (options.update === true) writeFileSync(BASELINE, `${JSON.stringify(counts, null, 2)}\n`);
  else if (below.length > 0) console.log(`Lower the baseline with --update:\n${below.join('\n')}`);
  const faults = [
    ...(options.update === true ? [] : above),
    ...unused.map(({ rule, file, text }) => `no place for the exception ${rule}, ${file}: ${text}`),
  ];
  for (const fault of faults) console.error(fault);
  if (faults.length > 0) {
    console.error('Rewrite the new places; "npm run words -- --list" shows all.');
    process.exit(1);
  }
}
