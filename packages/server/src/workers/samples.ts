/** The text format of Prometheus, as far as this program writes it: families with their samples. */

export interface Family {
  readonly name: string;
  readonly help: string;
  /** `counter`, `gauge`, `histogram` … */
  readonly type: string;
  /** Values by the name of the sample with its labels, as they are written. */
  readonly samples: Map<string, number>;
}

/** Reads families by their name. Ignores lines that it does not know. */
export function readFamilies(text: string): Map<string, Family> {
  const families = new Map<string, Family>();
  let help = '';
  let family: Family | null = null;
  for (const line of text.split('\n')) {
    const [, keyword, name = '', rest = ''] = /^# (HELP|TYPE) (\S+) (.*)$/.exec(line) ?? [];
    if (keyword === 'HELP') help = rest;
    else if (keyword === 'TYPE') {
      family = { name, help, type: rest, samples: new Map() };
      families.set(name, family);
    } else if (family !== null && line !== '' && !line.startsWith('#')) {
      const at = line.lastIndexOf(' ');
      family.samples.set(line.slice(0, at), numberIn(line.slice(at + 1)));
    }
  }
  return families;
}

export function writeFamilies(families: Iterable<Family>): string {
  const lines: string[] = [];
  for (const { name, help, type, samples } of families) {
    lines.push(`# HELP ${name} ${help}`, `# TYPE ${name} ${type}`);
    for (const [sample, value] of samples) lines.push(`${sample} ${textOf(value)}`);
  }
  return `${lines.join('\n')}\n`;
}

/** Adds a label in front of the others. */
export function labelled(sample: string, label: string, value: string): string {
  const at = sample.indexOf('{');
  if (at < 0) return `${sample}{${label}="${value}"}`;
  const rest = sample.slice(at + 1);
  return `${sample.slice(0, at)}{${label}="${value}"${rest === '}' ? '' : ','}${rest}`;
}

function numberIn(text: string): number {
  if (text === '+Inf') return Number.POSITIVE_INFINITY;
  return text === '-Inf' ? Number.NEGATIVE_INFINITY : Number(text === 'Nan' ? Number.NaN : text);
}

function textOf(value: number): string {
  if (value === Number.POSITIVE_INFINITY) return '+Inf';
  return value === Number.NEGATIVE_INFINITY ? '-Inf' : Number.isNaN(value) ? 'Nan' : String(value);
}
