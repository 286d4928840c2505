/** The sources and pages that are read, and a reader for each kind of file. */
import { globSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { textsOfHashComments } from './hash-comments.ts';
import { textsOfMarkdown, unreleased } from './markdown.ts';
import type { Text } from './text.ts';
import { textsOfTypeScript } from './typescript.ts';

const WANTED = [
  '{packages,test,scripts,bench}/**/*.{ts,tsx,js,sh,py}',
  '{deploy,docs}/**/*.{yaml,yml,json,tpl,service,socket,sh,md}',
  '{deploy/docker/Dockerfile,.ci/run,biome.json,tsconfig.json,*.md}',
];
/** Their sources are read instead. The generated client is read, because it has the texts of the OpenAPI document. */
const GENERATED = /^docs\/(build\/(api|errors|events)|run\/(metrics|options))\.md$|\/dist\//;

/** Returns the paths of all files, in order. */
export function wordFiles(): readonly string[] {
  return globSync(WANTED, { exclude: (path) => basename(path) === 'node_modules' })
    .filter((path) => !GENERATED.test(path))
    .sort();
}

export function textsOfFile(path: string): readonly Text[] {
  const source = readFileSync(path, 'utf8');
  if (/\.(ts|tsx|js)$/.test(path)) return textsOfTypeScript(source, !isTest(path));
  if (path.endsWith('CHANGELOG.md')) return textsOfMarkdown(unreleased(source));
  if (path.endsWith('.md')) return textsOfMarkdown(source);
  return textsOfHashComments(source);
}

/** Strings of tests are inputs and names. */
const isTest = (path: string): boolean => /^test\/|\.(test|fixture)\.|\/conformance\//.test(path);
