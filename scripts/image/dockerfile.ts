/**
 * Parses the instructions that our Dockerfile uses.
 * Invariant: an unknown instruction is an error.
 */

export type Step =
  | { readonly kind: 'RUN'; readonly command: string }
  | { readonly kind: 'WORKDIR'; readonly path: string }
  | {
      readonly kind: 'COPY';
      readonly sources: readonly string[];
      readonly to: string;
      /** A stage before; else the folder that is built from. */
      readonly from?: string;
      /** `uid:gid`. */
      readonly owner?: string;
    };

export interface Stage {
  readonly name: string;
  /** Another stage, or an image. */
  readonly base: string;
  readonly steps: readonly Step[];
  readonly settings: Settings;
}

/** Settings for any command of the image, those of the base included. */
export interface Settings {
  readonly env: Readonly<Record<string, string>>;
  readonly user?: string;
  readonly entrypoint: readonly string[];
  readonly command: readonly string[];
  readonly healthCheck: readonly string[];
  readonly volumes: readonly string[];
  readonly ports: readonly string[];
  readonly stopSignal?: string;
}

const NOTHING: Settings = { env: {}, entrypoint: [], command: [], healthCheck: [], volumes: [], ports: [] };

/** Throws an Error that names the line's instruction. */
export function readDockerfile(text: string): readonly Stage[] {
  const stages: (Stage & { steps: Step[]; settings: Settings })[] = [];
  for (const line of linesOf(text)) {
    const [, instruction = '', rest = ''] = /^(\w+)\s+(.*)$/s.exec(line) ?? [];
    if (instruction === 'FROM') {
      const [, base = '', name = base] = /^(\S+)(?: AS (\S+))?$/.exec(rest) ?? [];
      const settings = stages.find((stage) => stage.name === base)?.settings ?? NOTHING;
      stages.push({ name, base, steps: [], settings });
      continue;
    }
    const stage = stages.at(-1);
    if (stage === undefined) throw new Error(`${instruction} stands before FROM`);
    const step = stepOf(instruction, rest);
    if (step === null) Object.assign(stage, { settings: changed(stage.settings, instruction, rest) });
    else stage.steps.push(step);
  }
  return stages;
}

/** Returns the lines without comments, with continued lines joined. */
function linesOf(text: string): readonly string[] {
  return text
    .replace(/^\s*#.*\n/gm, '')
    .replace(/\\\n\s*/g, '')
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
}

function stepOf(instruction: string, rest: string): Step | null {
  switch (instruction) {
    case 'RUN':
      return { kind: 'RUN', command: rest };
    case 'WORKDIR':
      return { kind: 'WORKDIR', path: rest };
    case 'COPY': {
      const { flags, words } = flagsOf(rest);
      const { from, chown: owner, ...unknown } = flags;
      if (Object.keys(unknown).length > 0) throw new Error(`COPY ${rest}: unknown flags`);
      const given = { ...(from === undefined ? {} : { from }), ...(owner === undefined ? {} : { owner }) };
      const names = words.split(/\s+/);
      return { kind: 'COPY', sources: names.slice(0, -1), to: names.at(-1) ?? '', ...given };
    }
    default:
      return null;
  }
}

function changed(settings: Settings, instruction: string, rest: string): Settings {
  switch (instruction) {
    case 'ENV': {
      const [, name = '', value = ''] = /^(\w+)=(\S*)$/.exec(rest) ?? [];
      return { ...settings, env: { ...settings.env, [name]: value } };
    }
    case 'USER':
      return { ...settings, user: rest };
    case 'ENTRYPOINT':
      return { ...settings, entrypoint: listOf(rest) };
    case 'CMD':
      return { ...settings, command: listOf(rest) };
    case 'HEALTHCHECK':
      return { ...settings, healthCheck: listOf(flagsOf(rest).words.replace(/^CMD\s+/, '')) };
    case 'VOLUME':
      return { ...settings, volumes: [...settings.volumes, ...rest.split(/\s+/)] };
    case 'EXPOSE':
      return { ...settings, ports: [...settings.ports, ...rest.split(/\s+/)] };
    case 'STOPSIGNAL':
      return { ...settings, stopSignal: rest };
    default:
      throw new Error(`${instruction} is not known here`);
  }
}

/** Programs and their arguments: a text would need a shell. */
function listOf(text: string): readonly string[] {
  return JSON.parse(text) as string[];
}

function flagsOf(text: string): { readonly flags: Readonly<Record<string, string>>; readonly words: string } {
  const [leading = ''] = /^(?:--\S+\s+)*/.exec(text) ?? [];
  const flags = [...leading.matchAll(/--([\w-]+)(?:=(\S+))?/g)].map(([, name = '', value = '']) => [
    name,
    value,
  ]);
  return { flags: Object.fromEntries(flags), words: text.slice(leading.length) };
}
