/** Writes the documents that are made from the sources: docs/errors.md. Run by `npm run docs`; the gate compares. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { errorsMarkdown } from '../packages/server/src/errors/document.ts';

mkdirSync('docs', { recursive: true });
writeFileSync('docs/errors.md', errorsMarkdown());
