/** The five questions of a setup. Each is repeated until its answer is usable. */
import type { Prompt } from '@underpass/wire/prompt';
import { type Answers, listenersIn, listenersText, NONE } from './answers.ts';

/** Checks of answers. Each rejects with an error for the operator. */
export interface Checks {
  /** Throws for answers that no daemon would start with. */
  readonly form: (answers: Answers) => void;
  readonly dns: (answers: Answers) => Promise<void>;
  readonly ports: (answers: Answers) => Promise<void>;
  readonly database: (answers: Answers) => Promise<void>;
  readonly service: (answers: Answers) => void;
}

/** `withEmail`: the answers by default after the one about certificates; null: none. Rejects with Cancelled. */
export async function askAll(
  prompt: Prompt,
  usual: Answers,
  withEmail: (answers: Answers, email: string | null) => Answers,
  checks: Checks,
): Promise<Answers> {
  const checked = (answers: Answers): Answers => {
    checks.form(answers);
    return answers;
  };
  let answers = usual;
  answers = await prompt.askFor(`Domain [${usual.domain}]: `, (text) =>
    checked({ ...answers, domain: text || usual.domain }),
  );
  const email = usual.acme === null ? NONE : (usual.acme.email ?? 'no address');
  answers = await prompt.askFor(
    `E-mail for certificates, or "none": the daemon signs its own [${email}]: `,
    (text) => checked(text === '' ? answers : withEmail(answers, text === NONE ? null : text)),
  );
  await checks.dns(answers);
  const { listeners } = answers;
  answers = await prompt.askFor(
    `Ports for HTTPS, HTTP, ssh -R and DNS, each PORT, ADDRESS:PORT or "off" [${listenersText(listeners)}]: `,
    async (text) => {
      const answered = checked({ ...answers, listeners: listenersIn(text, listeners) });
      await checks.ports(answered);
      return answered;
    },
  );
  answers = await prompt.askFor(
    `Database, sqlite or postgres://USER:PASSWORD@HOST/NAME [${withoutPassword(usual.database)}]: `,
    async (text) => {
      const answered = checked({ ...answers, database: text || usual.database });
      await checks.database(answered);
      return answered;
    },
  );
  return await prompt.askFor(
    `Run it as a service of systemd, yes or no [${usual.hasService ? 'yes' : 'no'}]: `,
    (text) => {
      const answered = { ...answers, hasService: isYes(text, usual.hasService) };
      checks.service(answered);
      return answered;
    },
  );
}

function isYes(text: string, usual: boolean): boolean {
  if (/^y(es)?$/i.test(text)) return true;
  return /^no?$/i.test(text) ? false : usual;
}

function withoutPassword(url: string): string {
  return url.replace(/(:\/\/[^:@/]*):.*@/, '$1:***@').replace(/([?&]\w*password=)[^&]*/gi, '$1***');
}
