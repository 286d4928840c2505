/**
 * Composes the texts of the config file and its secrets from answers. Pure.
 * Invariant: a key changes only if its answer differs from the file. With a service no secret is in the config file,
 * which every user of the machine may read.
 */
import { valuesIn } from '../command/options.ts';
import { type Answers, answeredValues } from './answers.ts';
import { type Changes, editDocument } from './edit-document.ts';
import { secretIn, variableOf, withSecret } from './secrets-file.ts';

const HEADER = '# Options of the daemon, written by "underpassd setup". "underpassd --help" lists all.\n';
/** Options whose value may be a secret. */
const SECRETS = ['database', 'acme-eab-hmac-key'] as const;

export interface Texts {
  readonly config: string;
  /** '': no such file is needed. */
  readonly secrets: string;
}

export interface Composition {
  readonly answers: Answers;
  /** Answers of the file; null without a file. */
  readonly former: Answers | null;
  /** Options beside the answers, such as the data dir. */
  readonly others: Changes;
}

export function composeTexts(existing: Texts, { answers, former, others }: Composition): Texts {
  const texts = { ...existing, config: existing.config === '' ? HEADER : existing.config };
  const before = former === null ? null : answeredValues(former);
  const answered = [...answeredValues(answers)].filter(([key, value]) => before?.get(key) !== value);
  const config = editDocument(texts.config, new Map([...answered, ...others]));
  if (answers.hasService) return withSecretsApart({ ...texts, config }, answers.database);
  return former?.hasService ? withSecretsInside({ ...texts, config }) : { ...texts, config };
}

/** The file of variables is read for the service only. */
function withSecretsInside({ config, secrets }: Texts): Texts {
  const kept = SECRETS.map((flag) => [flag, secretIn(secrets, variableOf(flag))] as const);
  const moved = kept.filter(([, value]) => value !== null);
  return {
    config: editDocument(config, new Map(moved)),
    secrets: moved.reduce((text, [flag]) => withSecret(text, variableOf(flag), null), secrets),
  };
}

/** Moves secrets from the config file to the variables. */
function withSecretsApart(texts: Texts, database: string): Texts {
  let { config, secrets } = texts;
  for (const flag of SECRETS) {
    const inFile = valuesIn(config, 'FILE').get(flag)?.[0] ?? null;
    const value = flag === 'database' ? database : (inFile ?? secretIn(secrets, variableOf(flag)));
    if (value === null) continue;
    if (isSecret(flag, value)) {
      config = editDocument(config, new Map([[flag, null]]));
      secrets = withSecret(secrets, variableOf(flag), value);
    } else secrets = withSecret(secrets, variableOf(flag), null);
  }
  return { config, secrets };
}

/** Returns true if others must not read the file with these values. */
export function hasSecret(config: string): boolean {
  const values = valuesIn(config, 'FILE');
  return SECRETS.some((flag) => values.get(flag)?.some((value) => isSecret(flag, value)));
}

function isSecret(flag: (typeof SECRETS)[number], value: string): boolean {
  if (flag !== 'database') return true;
  return /^postgres(ql)?:\/\/[^@/]*:[^@]*@/.test(value) || /[?&]\w*password=/i.test(value);
}
