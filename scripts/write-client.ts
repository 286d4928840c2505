/** Writes packages/client/src/generated from the API's definitions. Run by `npm run docs`; the gate compares. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { openApiDocument } from '../packages/server/src/api/openapi.ts';
import { catalogue } from '../packages/server/src/errors/catalogue.ts';
import { resourceSurfaces } from '../packages/server/src/resources/kinds/index.ts';
import { standaloneOperations } from '../packages/server/src/resources/standalone/index.ts';
import type { Document } from './client/document.ts';
import { writeErrors } from './client/errors.ts';
import { resourcesOf } from './client/model.ts';
import { writeOperations } from './client/operations.ts';
import { writeResources } from './client/resources.ts';
import { writeTypes } from './client/types.ts';

const FOLDER = 'packages/client/src/generated';
const HEADER = '// Written by scripts/write-client.ts from the OpenAPI document; do not edit.\n\n';

// The API's address and the name of its version header are options of the client.
const served = { baseUrl: 'https://api.example.com', versionHeaders: ['Service-Version'] };
const document = openApiDocument(resourceSurfaces, served, standaloneOperations) as unknown as Document;
const resources = resourcesOf(document);
const files = {
  'types.ts': writeTypes(document),
  'resources.ts': writeResources(document, resources),
  'operations.ts': writeOperations(document, resources),
  'errors.ts': writeErrors(catalogue),
};

rmSync(FOLDER, { recursive: true, force: true });
mkdirSync(FOLDER, { recursive: true });
for (const [name, code] of Object.entries(files)) writeFileSync(`${FOLDER}/${name}`, `${HEADER}${code}\n`);
execFileSync('node_modules/.bin/biome', ['check', '--write', '--log-level=error', FOLDER], {
  stdio: ['ignore', 'ignore', 'inherit'],
});
