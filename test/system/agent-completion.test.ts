/** Completion scripts of the agent's commands in real shells. */
import assert from 'node:assert/strict';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { missingPrograms } from '../harness/missing.ts';
import { Process, pathToNode } from '../harness/process.ts';
import { startedFor } from '../harness/repository-command.ts';

const AGENT = fileURLToPath(import.meta.resolve('../../packages/agent/bin/underpass.js'));
let home: string;
let env: NodeJS.ProcessEnv;

before(() => {
  home = mkdtempSync(join(tmpdir(), 'underpass-completion-'));
  // Runs the agent for completion requests, and prints the words of all other calls.
  const asked = `case "$1" in complete|completion) exec '${startedFor(AGENT)}' "$@" ;; esac`;
  const program = join(home, 'underpass');
  writeFileSync(program, `#!/bin/sh\n${asked}\nprintf 'given'; printf ' <%s>' "$@"; echo\n`);
  chmodSync(program, 0o755);
  mkdirSync(join(home, 'config', 'underpass'), { recursive: true });
  const withMistakes = 'sever: a\ntunnels: {website: {upstream: 1, hots: x}, "not a name": {}}\n';
  writeFileSync(join(home, 'config', 'underpass', 'agent.yaml'), withMistakes);
  writeFileSync(join(home, 'other.yaml'), 'tunnels: {elsewhere: {upstream: 1}}\n');
  writeFileSync(join(home, 'authority.pem'), '');
  env = {
    HOME: home,
    XDG_CONFIG_HOME: join(home, 'config'),
    PATH: `${home}:${pathToNode.PATH}`,
    TERM: 'dumb',
  };
});
after(() => rmSync(home, { recursive: true, force: true }));

const COMPLETED = [
  ['dia\t', '<diagnose>'],
  ['http --proxy-pr\t1', '<http> <--proxy-proto> <1>'],
  [
    'http --scheme https --mutual-tls-ca auth\t',
    '<http> <--scheme> <https> <--mutual-tls-ca> <authority.pem>',
  ],
  ['start web\t', '<start> <website>'],
  ['start --config other.yaml else\t', '<start> <--config> <other.yaml> <elsewhere>'],
  ['api tls-e\t', '<api> <tls-edges>'],
] as const;

for (const [shell, start, load] of [
  ['bash', 'bash --norc --noprofile -i', 'source <(underpass completion bash)'],
  ['zsh', 'zsh -f -i', 'autoload -U compinit; compinit -u -D; source <(underpass completion zsh)'],
] as const) {
  const skip = missingPrograms(shell, 'script');
  test(`${shell} completes commands, flags, values, files and tunnels while they are typed`, {
    skip,
  }, async (t) => {
    const terminal = Process.inTerminal(start, { cwd: home, env });
    t.after(() => terminal.stop('SIGKILL'));
    terminal.type(`${load}; echo loa""ded\r`);
    await terminal.text(/^loaded/m);
    for (const [typed, given] of COMPLETED) {
      terminal.type(`underpass ${typed}\r`);
      await terminal.line(new RegExp(`^given ${given}\\s*$`));
    }
  });
}

test('fish shows what they are for, too', { skip: missingPrograms('fish') }, async () => {
  const ask = (line: string) => `complete -C 'underpass ${line}'`;
  const asked = [ask('dia'), ask('start web'), ask('http --ca auth')].join('; ');
  const fish = Process.program('fish', ['-N', '-c', `underpass completion fish | source; ${asked}`], {
    cwd: home,
    env,
  });
  assert.equal((await fish.exited).code, 0, fish.output);
  assert.match(fish.output, /^diagnose\tcheck each step.*\nwebsite\nauthority\.pem/);
});

test('an unknown shell gets the list of known ones', async () => {
  const agent = Process.node(AGENT, ['completion', 'csh'], { cwd: home, env });
  assert.equal((await agent.exited).code, 2);
  assert.match(agent.output, /"csh"\. Give bash, zsh, fish\./);
});
