/**
 * The dependency rule of ARCHITECTURE.md, checked on the imports as they stand in the sources.
 * Prints each import that breaks it and exits with 1.
 */
import { globSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';

interface Rule {
  readonly why: string;
  readonly from: RegExp;
  readonly forbidden: RegExp;
  readonly except?: RegExp;
}

const SERVER = 'packages/server/src';

const RULES: readonly Rule[] = [
  {
    why: 'wire imports nothing of the server or the agent, and no package',
    from: /^packages\/wire\/src\//,
    forbidden: /^(?!packages\/wire\/|node:)/,
    except: /^fast-check$/,
  },
  {
    why: 'the client imports nothing of the server or the agent, and no package',
    from: /^packages\/client\/src\//,
    forbidden: /^(?!packages\/client\/|node:)/,
  },
  {
    why: 'the agent imports nothing of the server',
    from: /^packages\/agent\/src\//,
    forbidden: /^(packages\/server|@underpass\/server)/,
  },
  {
    why: 'core is pure: it imports nothing above it',
    from: new RegExp(`^${SERVER}/core/`),
    forbidden: new RegExp(`^${SERVER}/(?!core/)`),
  },
  {
    why: 'resources do not know HTTP',
    from: new RegExp(`^${SERVER}/resources/`),
    forbidden: new RegExp(`^(${SERVER}/(api|edge)/|node:https?$)`),
  },
  {
    why: 'the data plane does not import the API',
    from: new RegExp(`^${SERVER}/(edge|tunnels|store|pki)/`),
    forbidden: new RegExp(`^${SERVER}/api/`),
  },
  {
    why: 'who may come from where is asked by the API and the data plane, and knows neither',
    from: new RegExp(`^${SERVER}/access/`),
    forbidden: new RegExp(`^${SERVER}/(api|edge|tunnels)/`),
  },
  {
    why: 'the store knows nothing of what is stored',
    from: new RegExp(`^${SERVER}/store/`),
    forbidden: new RegExp(`^${SERVER}/(api|resources|documents|edge|tunnels|events)/`),
  },
  {
    why: 'the stored shapes are what all others stand on',
    from: new RegExp(`^${SERVER}/documents/`),
    forbidden: new RegExp(`^${SERVER}/(?!(documents|core|store)/)`),
  },
  {
    why: 'what reads HTTP from a connection does not know what is asked',
    from: new RegExp(`^${SERVER}/http-server/`),
    forbidden: new RegExp(`^${SERVER}/(?!http-server/|http-syntax/|core/)`),
  },
  {
    why: 'how a message is read does not depend on who it is for',
    from: new RegExp(`^${SERVER}/http-syntax/`),
    forbidden: new RegExp(`^${SERVER}/(?!http-syntax/)`),
  },
  { why: 'only store knows SQL', from: new RegExp(`^${SERVER}/(?!store/)`), forbidden: /^(node:sqlite|pg)$/ },
  {
    why: 'tunnels do not know the edge',
    from: new RegExp(`^${SERVER}/tunnels/`),
    forbidden: new RegExp(`^${SERVER}/edge/`),
  },
];

const IMPORT =
  /(?:^|\n)\s*(?:import|export)\s[^'";]*?from\s*'([^']+)'|(?:^|\n)\s*import\s*'([^']+)'|\bimport\('([^']+)'\)/g;

const broken = globSync('packages/*/src/**/*.ts').flatMap((file) => {
  const imports = [...readFileSync(file, 'utf8').matchAll(IMPORT)].map(
    (match) => match[1] ?? match[2] ?? match[3] ?? '',
  );
  const resolved = imports.map((name) =>
    name.startsWith('.') ? normalize(join(dirname(file), name)) : name,
  );
  const isTest = /\.(test|fixture)\.ts$/.test(file);
  return resolved.flatMap((name) =>
    RULES.filter(
      (rule) => !isTest && rule.from.test(file) && rule.forbidden.test(name) && !rule.except?.test(name),
    ).map((rule) => `${file} imports ${name}: ${rule.why}`),
  );
});

for (const line of broken) console.error(line);
if (broken.length > 0) process.exit(1);
console.log('dependency rule: holds');
