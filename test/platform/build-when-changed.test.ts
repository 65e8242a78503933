import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { temporaryDirectory } from '../support/process.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

let directory: ReturnType<typeof temporaryDirectory>;
beforeEach(() => {
  directory = temporaryDirectory();
});
afterEach(() => directory.remove());

/** Arguments of a Node that runs this code, which can use `build(directory, prepared)`. */
const programOf = (code: string) => [
  ...['--no-warnings', '--input-type=module', '--eval'],
  `import { existsSync, writeFileSync } from 'node:fs';
   import { buildWhenChanged } from './src/build/when-changed.ts';
   const build = (directory, prepared = () => {}) =>
     buildWhenChanged({
       title: 'Building',
       directory,
       sources: ['package.json'],
       build: async (path) => {
         writeFileSync(path + '/result', '');
         prepared();
       },
     });
   ${code}`,
];

describe('buildWhenChanged', () => {
  it('processes that build the same at the same time all end well, and leave one result', async () => {
    const rounds = 300;
    const [built, ready] = ['built', 'ready'].map((name) => join(directory.path, name));
    // Every second time there is an older result.
    for (let round = 0; round < rounds; round += 2) mkdirSync(`${built}${round}`);
    // Both wait for each other at the end of each build, so that both replace the result at once.
    const program = programOf(`
      for (let round = 0; round < ${rounds}; round += 1)
        await build(${JSON.stringify(built)} + round, () => {
          const name = ${JSON.stringify(ready)} + round + '-';
          writeFileSync(name + process.argv[1], '');
          while (!existsSync(name + 0) || !existsSync(name + 1));
        });`);
    const errors = await Promise.all(
      ['0', '1'].map(async (number) => {
        const child = spawn(process.execPath, [...program, number], { cwd: root });
        let stderr = '';
        child.stderr.on('data', (chunk: Buffer) => {
          stderr += chunk.toString();
          // The other one would wait forever.
          if (/Error/.test(stderr)) for (const name of ['0', '1']) leaveBarriers(ready, name);
        });
        await once(child, 'close');
        return stderr.replaceAll('Building\n', '');
      }),
    );
    expect(errors).toEqual(['', '']);
    const results = readdirSync(directory.path).filter((name) => name.startsWith('built'));
    expect(results).toHaveLength(rounds);
    for (const name of results)
      expect(readdirSync(join(directory.path, name)).toSorted()).toEqual(['.made-from', 'result']);

    function leaveBarriers(path: string | undefined, number: string): void {
      for (let round = 0; round < rounds; round += 1)
        writeFileSync(`${path}${round}-${number}`, '');
    }
  });

  it('a program that runs from a build still finds its chunks after the next one, and those of older builds are gone', () => {
    const built = join(directory.path, 'built');
    const buildChunk = (name: string) => {
      const code = `
        import { existsSync, readFileSync, writeFileSync } from 'node:fs';
        import { buildWhenChanged } from './src/build/when-changed.ts';
        const record = ${JSON.stringify(join(built, '.made-from'))};
        if (existsSync(record))
          writeFileSync(record, readFileSync(record, 'utf8').replace(/^.*/, 'other sources'));
        await buildWhenChanged({
          title: 'Building',
          directory: ${JSON.stringify(built)},
          sources: ['package.json'],
          build: async (path) => {
            writeFileSync(path + '/main.mjs', '${name}');
            writeFileSync(path + '/part-${name}.mjs', '');
          },
        });`;
      spawnSync(process.execPath, ['--no-warnings', '--input-type=module', '--eval', code], {
        cwd: root,
      });
      return readdirSync(built).toSorted();
    };
    expect(buildChunk('11111111')).toEqual(['.made-from', 'main.mjs', 'part-11111111.mjs']);
    expect(buildChunk('22222222')).toEqual([
      ...['.made-from', 'main.mjs', 'part-11111111.mjs', 'part-22222222.mjs'],
    ]);
    expect(buildChunk('33333333')).toEqual([
      ...['.made-from', 'main.mjs', 'part-22222222.mjs', 'part-33333333.mjs'],
    ]);
  });

  it('a directory that cannot be created ends the program with one message, which says what to do', () => {
    // Root may write everywhere, but not below a file.
    const file = join(directory.path, 'file');
    writeFileSync(file, '');
    const { status, stderr } = spawnSync(
      process.execPath,
      programOf(`await build(${JSON.stringify(join(file, 'built'))});`),
      {
        cwd: root,
        encoding: 'utf8',
      },
    );
    expect(status).toBe(1);
    expect(stderr).toMatch(
      /^Building\n.* cannot be created \(ENOTDIR\)\. Run npm run build as .*\n$/,
    );
  });
});
