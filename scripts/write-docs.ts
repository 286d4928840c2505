/** Writes the documents that are made from the sources: docs/build/errors.md, docs/run/metrics.md, docs/run/options.md, docs/build/events.md, docs/build/api.md and the units of the daemon. Run by `npm run docs`; the gate compares. */
import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { basename } from 'node:path';
import { openApiDocument } from '../packages/server/src/api/openapi.ts';
import { referenceMarkdown } from '../packages/server/src/api/reference.ts';
import { optionsMarkdown } from '../packages/server/src/command/options-document.ts';
import { errorsMarkdown } from '../packages/server/src/errors/document.ts';
import { metricsMarkdown } from '../packages/server/src/metrics/document.ts';
import { createMetrics } from '../packages/server/src/metrics/metrics.ts';
import { eventsMarkdown } from '../packages/server/src/resources/events-document.ts';
import { resourceKinds, resourceSurfaces } from '../packages/server/src/resources/kinds/index.ts';
import { standaloneOperations } from '../packages/server/src/resources/standalone/index.ts';
import { unitTexts } from '../packages/server/src/setup/unit-text.ts';

const read = (path: string): string => readFileSync(path, 'utf8');
const served = { baseUrl: 'https://api.example.com', versionHeaders: ['Service-Version'] };
const textsOf = (folder: string, extension: string): ReadonlyMap<string, string> =>
  new Map(
    globSync(`${folder}/*${extension}`)
      .sort()
      .map((path) => [basename(path, extension), read(path)]),
  );

for (const [name, text] of Object.entries(unitTexts)) writeFileSync(`deploy/systemd/${name}`, text);
writeFileSync('docs/build/errors.md', errorsMarkdown());
writeFileSync('docs/run/options.md', optionsMarkdown());
writeFileSync('docs/run/metrics.md', metricsMarkdown(await createMetrics('').text()));
writeFileSync(
  'docs/build/events.md',
  eventsMarkdown(resourceKinds, {
    intro: read('docs/build/events/intro.md'),
    examples: textsOf('docs/build/events', '.json'),
  }),
);
writeFileSync(
  'docs/build/api.md',
  referenceMarkdown(openApiDocument(resourceSurfaces, served, standaloneOperations), {
    intro: read('docs/build/api/intro.md'),
    examples: textsOf('docs/build/api', '.sh'),
  }),
);
