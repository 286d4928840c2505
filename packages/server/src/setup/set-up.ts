/**
 * `underpassd setup`: from five answers to a config file, a service, and a daemon that serves.
 * Invariant: nothing is written before the last answer, and nothing that a daemon would not start with.
 */
import { resolve } from 'node:path';
import { Cancelled, Prompt } from '@underpass/wire/prompt';
import { type Config, toConfig } from '../command/config.ts';
import { ConfigError, type Values, valuesIn } from '../command/options.ts';
import { ForOperator } from '../core/for-operator.ts';
import { type Answers, dnsAddress, NONE, PUBLIC_DIRECTORY, usualAnswers } from './answers.ts';
import { checkDatabase } from './check-database.ts';
import { checkDns, lookupBy } from './check-dns.ts';
import { checkPorts } from './check-ports.ts';
import { composeTexts, hasSecret, type Texts } from './compose.ts';
import type { Change } from './edit-document.ts';
import { finish } from './finish.ts';
import { foreignCommand, type Machine, servesConfig, thisMachine } from './machine.ts';
import { placeOf, type SetupPlace } from './place.ts';
import { changesOf, describeChange, type PlannedFile, textAt, writeChange } from './plan.ts';
import { askAll, type Checks } from './questions.ts';
import { secretIn, variableOf } from './secrets-file.ts';
import { UNIT_FOLDER, unitFiles } from './units.ts';

/** Resolves with the exit code. Rejects with ConfigError or SetupError. */
export async function setUp(flags: Values): Promise<number> {
  const isYes = flags.has('yes');
  const hasTerminal = process.stdin.isTTY === true && process.stderr.isTTY === true;
  if (!isYes && !hasTerminal)
    throw new ConfigError(
      'setup: there is no terminal for its questions; give --yes, and flags for the answers',
    );
  const machine = thisMachine();
  const place = placeOf(flags, process.env, machine.isRoot);
  const setup = new Setup(flags, machine, place);
  try {
    const answers = isYes ? await setup.checked() : await setup.asked();
    return await setup.carryOut(answers);
  } catch (error) {
    if (!(error instanceof Cancelled)) throw error;
    console.error(error.message);
    return 1;
  }
}

class Setup {
  readonly #flags: Values;
  readonly #machine: Machine;
  readonly #place: SetupPlace;
  readonly #existing: Texts;
  /** Answers of the files; null without them. */
  readonly #former: Answers | null;
  readonly #usual: Answers;
  readonly #dataDir: string;

  constructor(flags: Values, machine: Machine, place: SetupPlace) {
    this.#flags = resolved(flags);
    this.#machine = machine;
    this.#place = place;
    // Without root there is no service, which alone reads the secrets.
    const secrets = machine.isRoot ? (textAt(place.secrets) ?? '') : '';
    this.#existing = { config: textAt(place.config) ?? '', secrets };
    const hadService = servesConfig(machine, place.config);
    const inFiles = valuesOf(this.#existing, place.config, hadService);
    const isNew = this.#existing.config === '';
    const address = machine.addresses[0] ?? '127.0.0.1';
    this.#former = isNew ? null : usualAnswers(inFiles, { address, hasService: hadService, isFirst: false });
    const hasService = flags.has('service')
      ? true
      : !flags.has('no-service') && (isNew ? machine.isRoot && machine.hasSystemd : hadService);
    const isFirst = isNew || isOfPackage(inFiles);
    this.#usual = usualAnswers(new Map([...inFiles, ...this.#flags]), { address, hasService, isFirst });
    // The unit names the folder; without one the daemon has its own default.
    const usualDir = isNew || hadService ? place.dataDir : 'data';
    this.#dataDir = resolve(this.#flags.get('data-dir')?.[0] ?? inFiles.get('data-dir')?.[0] ?? usualDir);
  }

  /** Returns the defaults and the flags after all checks. */
  async checked(): Promise<Answers> {
    const answers = this.#usual;
    const checks = this.#checks();
    checks.form(answers);
    checks.service(answers);
    await checks.dns(answers);
    await checks.ports(answers);
    await checks.database(answers);
    return answers;
  }

  /** Returns the answers of a terminal. Rejects with Cancelled. */
  async asked(): Promise<Answers> {
    using prompt = new Prompt(process.stdin, process.stderr, ForOperator);
    prompt.say('Enter keeps what is in brackets. Ctrl-C changes nothing.');
    return await askAll(
      prompt,
      this.#usual,
      (answers, email) => this.#withEmail(answers, email),
      this.#checks(),
    );
  }

  #withEmail(answers: Answers, email: string | null): Answers {
    if (email === null || email === NONE) return { ...answers, acme: null };
    const { directory = PUBLIC_DIRECTORY, ca = null } = answers.acme ?? {};
    const zone = answers.listeners['dns-listen'] ?? dnsAddress(this.#machine.addresses[0] ?? '127.0.0.1');
    return {
      ...answers,
      acme: {
        directory: this.#flags.get('acme-directory')?.[0] ?? directory,
        email,
        ca: this.#flags.get('acme-ca')?.[0] ?? ca,
      },
      listeners: { ...answers.listeners, 'dns-listen': zone },
    };
  }

  #checks(): Checks {
    const { hasSystemd, isRoot, addresses } = this.#machine;
    return {
      form: (answers) => void this.#config(answers),
      dns: async (answers) => {
        const lookup = lookupBy(this.#config(answers).dnsResolvers);
        for (const line of await checkDns(answers, addresses, lookup)) console.error(line);
      },
      ports: ({ listeners }) => checkPorts(listeners, this.#former?.listeners ?? null),
      database: ({ database }) => checkDatabase(database, this.#dataDir),
      service: (answers) => {
        if (!answers.hasService) return;
        if (!hasSystemd)
          throw new ConfigError(
            '--service: systemd does not run on this machine; give --no-service, or answer no',
          );
        if (!isRoot)
          throw new ConfigError('--service: needs root; run the setup with sudo, or give --no-service');
        this.#units(answers);
      },
    };
  }

  #texts(answers: Answers): Texts {
    const resolvers = this.#flags.get('dns-resolver');
    const others: (readonly [string, Change])[] = [];
    if (this.#former === null || this.#flags.has('data-dir')) others.push(['data-dir', this.#dataDir]);
    if (resolvers !== undefined) others.push(['dns-resolver', resolvers]);
    return composeTexts(this.#existing, { answers, former: this.#former, others: new Map(others) });
  }

  /** Returns the configuration that the daemon will have. Throws ConfigError. */
  #config(answers: Answers): Config {
    const values = valuesOf(this.#texts(answers), this.#place.config, answers.hasService);
    return toConfig(values.set('data-dir', [this.#dataDir]));
  }

  #units(answers: Answers): ReadonlyMap<string, string | null> {
    const { config, secrets } = this.#place;
    return unitFiles({
      ...{ program: this.#machine.program, config, secrets, dataDir: this.#dataDir },
      ...{ listeners: answers.listeners, foreignCommand: foreignCommand(this.#machine) },
    });
  }

  #files(answers: Answers): readonly PlannedFile[] {
    const { config, secrets } = this.#texts(answers);
    const units = answers.hasService ? [...this.#units(answers)] : [];
    const files: PlannedFile[] = [
      { path: this.#place.config, text: config, mode: this.#mode(config, answers) },
      ...units.map(([path, text]) => ({ path, text, mode: null })),
    ];
    // First: the config file relies on it.
    if (secrets !== this.#existing.secrets)
      files.unshift({ path: this.#place.secrets, text: secrets === '' ? null : secrets, mode: 0o600 });
    return files;
  }

  /** Returns the rights of the config file; null keeps them. */
  #mode(config: string, { hasService }: Answers): number | null {
    // The service runs as a user of its own, which reads the file.
    if (hasService) return this.#former?.hasService ? null : 0o644;
    return hasSecret(config) || config !== this.#existing.config ? 0o600 : null;
  }

  /** Writes what has changed, and starts the daemon. Resolves with the exit code. */
  async carryOut(answers: Answers): Promise<number> {
    const { settings } = this.#config(answers);
    const changes = changesOf(this.#files(answers));
    if (changes.length === 0) console.log(`Nothing changed: ${this.#place.config} has these answers.`);
    for (const change of changes) {
      await writeChange(change);
      for (const line of describeChange(change)) console.log(line);
    }
    return await finish({
      ...{ answers, settings, config: this.#place.config, program: this.#machine.program },
      hadService: this.#former?.hasService ?? false,
      hasChanged: changes.length > 0,
      haveUnitsChanged: changes.some(({ path }) => path.startsWith(UNIT_FOLDER)),
      starts: !this.#flags.has('no-start'),
    });
  }
}

/** Paths are seen from where the program was started, and the service starts elsewhere. */
function resolved(flags: Values): Values {
  const paths = ['data-dir', 'acme-ca'];
  return new Map(
    [...flags].map(([flag, texts]) => [
      flag,
      paths.includes(flag) ? texts.map((text) => resolve(text)) : texts,
    ]),
  );
}

/** Returns true for the file of a package that was not changed: its listeners are no answers. */
function isOfPackage(values: Values): boolean {
  return (
    values.size === 2 &&
    values.get('domain')?.[0] === 'underpass.localhost' &&
    values.get('listen')?.[0] === ':443'
  );
}

/** Returns the values that the daemon gets. A service reads the secrets, too. */
function valuesOf({ config, secrets }: Texts, path: string, isService: boolean): Values {
  const values = valuesIn(config, path);
  if (!isService) return values;
  for (const flag of ['database', 'acme-eab-hmac-key']) {
    const value = secretIn(secrets, variableOf(flag));
    if (value !== null) values.set(flag, [value]);
  }
  return values;
}
