/** Reads the config file. Never that a key which does nothing is let be. */
import { existsSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { checkAll } from './check-all.ts';
import { configFolder } from './home-folder.ts';
import type { Source } from './source.ts';
import { readYamlFile, type YamlMapping } from './yaml-file.ts';

export const SERVICE_KEYS = ['server', 'authtoken', 'ca', 'inspect'] as const;
/** `tunnels` are those of `start`, which shares the file. */
const KEYS = [...SERVICE_KEYS, 'domain', 'address', 'label', 'metadata', 'tunnels'] as const;

/** Where the file of many tunnels is when no flag says it. */
export function defaultConfigPath(environment: Readonly<Record<string, string | undefined>>): string {
  return join(configFolder(environment), 'underpass', 'agent.yaml');
}

/** Reads a YAML file with the names of the flags as keys; `ca` is relative to the file. Throws InvalidInput. */
export function readConfigFile(path: string): Source {
  const file = readYamlFile(path);
  file.refuseOthers(KEYS);
  return {
    ...serviceIn(file),
    ...nameIn(file),
  };
}

/** What `underpass login` has stored. */
export interface Login {
  readonly server: string;
  readonly authtoken: string;
  /** Path of a PEM file. */
  readonly ca: string | undefined;
}

/** Null where nobody has logged in. Throws InvalidInput where the file cannot be read. */
export function readLogin(path: string): Login | null {
  if (!existsSync(path)) return null;
  const { server, authtoken, ca } = serviceIn(readYamlFile(path));
  return server === undefined || authtoken === undefined ? null : { server, authtoken, ca };
}

export function serviceIn(file: YamlMapping): Source {
  const [server, authtoken, ca, inspect] = checkAll([
    () => file.text('server'),
    () => file.text('authtoken'),
    () => file.text('ca'),
    () => file.textOrFalse('inspect'),
  ]);
  return given({
    ...{ server, authtoken, inspect },
    ca: ca === undefined ? undefined : resolve(dirname(file.path), ca),
  });
}

/** What a tunnel is called, there or in the API. */
export function nameIn(mapping: YamlMapping): Source {
  const [domain, address, label, metadata] = checkAll([
    () => mapping.text('domain'),
    () => mapping.text('address'),
    () => mapping.pairs('label'),
    () => mapping.text('metadata'),
  ]);
  return given({ domain, address, label, metadata });
}

function given(source: { readonly [key in keyof Source]: Source[key] | undefined }): Source {
  return Object.fromEntries(Object.entries(source).filter(([, value]) => value !== undefined));
}
