/** Reads the config file. Never that a key which does nothing is let be. */
import { existsSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
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
  const ca = file.text('ca');
  return given({
    server: file.text('server'),
    authtoken: file.text('authtoken'),
    ca: ca === undefined ? undefined : resolve(dirname(file.path), ca),
    inspect: file.textOrFalse('inspect'),
  });
}

/** What a tunnel is called, there or in the API. */
export function nameIn(mapping: YamlMapping): Source {
  return given({
    domain: mapping.text('domain'),
    address: mapping.text('address'),
    label: mapping.pairs('label'),
    metadata: mapping.text('metadata'),
  });
}

function given(source: { readonly [key in keyof Source]: Source[key] | undefined }): Source {
  return Object.fromEntries(Object.entries(source).filter(([, value]) => value !== undefined));
}
