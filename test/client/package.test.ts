import { execFile } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { nodes } from '../support/nodes.ts';
import { type RunningServer, start, temporaryDirectory } from '../support/process.ts';

vi.setConfig({ testTimeout: 300_000, hookTimeout: 300_000 });

// Not spawnSync: a server in another process would wait until somebody reads its log.
const runProgram = promisify(execFile);
const source = resolve('src/client');
const readme = readFileSync(join(source, 'README.md'), 'utf8');
const project = temporaryDirectory();
const installed = join(project.path, 'node_modules/@atrium/client');
let packedFiles: string[];

/** Builds, packs and unpacks the package, as `npm publish` and `npm install` would. */
beforeAll(async () => {
  await runProgram('npm', ['run', 'client']);
  const { stdout } = await runProgram(
    'npm',
    ['pack', '--json', '--pack-destination', project.path],
    { cwd: source },
  );
  const [{ filename, files }] = JSON.parse(stdout);
  packedFiles = files.map(({ path }: { path: string }) => path);
  mkdirSync(installed, { recursive: true });
  const archive = join(project.path, filename);
  await runProgram('tar', ['-xzf', archive, '--strip-components=1', '-C', installed]);
  writeFileSync(join(project.path, 'package.json'), '{ "type": "module" }');
});
afterAll(() => project.remove());

describe('the package of the client', () => {
  it('The package has the built JavaScript with its types, and no source', () => {
    const modules = ['atrium-error', 'build-request', 'client', 'documented-calls', 'pages'];
    const built = [...modules, 'retry', 'run-events'].flatMap((name) => [
      `dist/${name}.d.ts`,
      `dist/${name}.js`,
    ]);
    expect(packedFiles.toSorted()).toEqual([...built, 'README.md', 'package.json'].toSorted());
  });

  it('The package has the version of Atrium, no dependencies, and one entry', async () => {
    const manifest = JSON.parse(readFileSync(join(installed, 'package.json'), 'utf8'));
    const root = JSON.parse(readFileSync('package.json', 'utf8'));
    expect(manifest.version).toBe(root.version);
    expect(manifest.dependencies).toBeUndefined();
    const importing = (name: string) =>
      runProgram(process.execPath, ['--input-type=module', '-e', `await import('${name}')`], {
        cwd: project.path,
      });
    await importing('@atrium/client');
    await expect(importing('@atrium/client/dist/retry.js')).rejects.toThrow(
      'ERR_PACKAGE_PATH_NOT_EXPORTED',
    );
  });

  it('A strict program compiles against the types of the package', async () => {
    const program = `
      import { AtriumError, createClient, type Campaign, type RunEvent } from '@atrium/client';
      const client = createClient({ baseUrl: 'http://localhost', apiKey: 'k' });
      export const names = async () => {
        const found: string[] = [];
        for await (const campaign of client.listCampaigns.all({ status: 'active' })) {
          const { name }: Campaign = campaign;
          found.push(name);
        }
        return found;
      };
      export const textOf = (event: RunEvent) => (event.type === 'text' ? event.text : '');
      export const codeOf = (error: unknown) =>
        error instanceof AtriumError ? (error.errors[0]?.field ?? error.code) : null;
      // @ts-expect-error a single read has no further items
      client.getTeam.all({ teamId: 'id' });
      // @ts-expect-error the iterator chooses the page
      client.listUsers.all({ page: 2 });
      // @ts-expect-error a campaign needs a duration
      client.createCampaign({ name: 'Spring' });
    `;
    writeFileSync(join(project.path, 'program.ts'), program);
    const options = ['--strict', '--noEmit', '--module', 'nodenext', '--target', 'es2022'];
    const libraries = ['--lib', 'es2022,dom,dom.iterable', '--types', ''];
    const compiler = resolve('node_modules/typescript/bin/tsc');
    const { stdout } = await runProgram(
      process.execPath,
      [compiler, ...options, ...libraries, 'program.ts'],
      { cwd: project.path },
    ).catch((error: { stdout: string }) => error);
    expect(stdout).toBe('');
  });
});

const majors = [20, 22, 24];
for (const major of majors.filter((wanted) => !nodes.some((node) => node.major === wanted)))
  process.stderr.write(
    `Skipped: the package of the client on Node ${major}, because no Node ${major} is installed; TEST_NODES can name one.\n`,
  );

describe('the README of the client', () => {
  const snippets = [...readme.matchAll(/^```js\n(.*?)^```$/gms)].map(([, code = '']) => code);
  const data = temporaryDirectory();
  let server: RunningServer;
  afterAll(async () => {
    server?.process.kill('SIGKILL');
    await server?.ended;
    data.remove();
  });
  beforeAll(async () => {
    server = await start({ DATA_DIR: data.path });
  });

  it.each(nodes.filter(({ major }) => majors.includes(major)))(
    'The snippets run with the package on Node $major',
    async ({ file, major }) => {
      const keyOf = (pattern: RegExp) => pattern.exec(server.output())?.[1] ?? '';
      // Each Node makes its own team and its own user.
      const program = snippets
        .join('\n')
        .replaceAll('Research', `Research ${major}`)
        .replaceAll('grace@', `grace${major}@`)
        .replaceAll('order-4711', `order-${major}`);
      writeFileSync(join(project.path, 'readme.js'), program);
      const { stdout } = await runProgram(file, ['readme.js'], {
        cwd: project.path,
        env: {
          ATRIUM: server.address,
          KEY: keyOf(/admin .* key (sk_svc_\w+)/),
          ORG_KEY: keyOf(/organization key +(sk_svc_um_\w+)/),
        },
        timeout: 120_000,
      });
      const lines = stdout.split('\n');
      expect(lines.slice(0, 6)).toEqual([
        `Research ${major} 0`,
        expect.stringMatching(/^[1-9]\d* users$/),
        '400 BAD_INPUT email',
        'true null',
        'true',
        'Rehearsed false',
      ]);
      // The text and its sources depend on how many files of the demo are processed by now.
      expect(lines.slice(6).join('\n')).toMatch(
        /\S[\s\S]* \[.*\]\nstep 1\n[\s\S]*\nCOMPLETED \d+\nsent\n$/,
      );
    },
  );
});
