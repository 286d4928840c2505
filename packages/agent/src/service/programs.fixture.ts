/** Programs of another system for tests, and checks of the XML that they read. */
import { spawnSync } from 'node:child_process';
import { missingPrograms } from '../../../../test/harness/missing.ts';
import type { Programs } from './manager.ts';

/** Records each call as a line. */
export class FakePrograms implements Programs {
  /** Calls that end with 1. */
  failing: RegExp | null = null;
  readonly #output: Readonly<Record<string, string>>;
  #calls: string[] = [];

  /** `output`: what a call prints. */
  constructor(output: Readonly<Record<string, string>> = {}) {
    this.#output = output;
  }

  async run(program: string, args: readonly string[]): Promise<number> {
    return this.succeeds(program, args) ? 0 : 1;
  }

  succeeds(program: string, args: readonly string[]): boolean {
    const call = [program, ...args].join(' ');
    this.#calls.push(call);
    return this.failing?.test(call) !== true;
  }

  read(program: string, args: readonly string[]): string {
    return this.#output[[program, ...args].join(' ')] ?? '';
  }

  /** Returns the calls since the last time. */
  takeCalls(): readonly string[] {
    const calls = this.#calls;
    this.#calls = [];
    return calls;
  }
}

export const skipXml = missingPrograms('xmllint');

/** `xml`: text, or bytes with their own mark of the encoding. */
export function isWellFormed(xml: string | Buffer): boolean {
  return spawnSync('xmllint', ['--noout', '--nonet', '-'], { input: xml }).status === 0;
}

/** Returns the value of an XPath expression. */
export function xpath(xml: string | Buffer, expression: string): string {
  const args = ['--nonet', '--xpath', expression, '-'];
  return spawnSync('xmllint', args, { input: xml, encoding: 'utf8' }).stdout.trimEnd();
}
