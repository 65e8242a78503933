import { existsSync, globSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import packageJson from '../package.json' with { type: 'json' };

// `node deploy/keep-what-runs.ts <node_modules>` takes out of an image what only builds: whatever
// the sources that run do not import, and nothing that they import depends on. The console is built
// by then, and the client of the database made.

const root = fileURLToPath(new URL('..', import.meta.url));

/** The dependencies of ours that a running Atrium imports, or looks up. */
export function namedAtRuntime(): string[] {
  const files = globSync(['src/**/*.ts', 'prisma/*.ts'], {
    cwd: root,
    exclude: ['src/console/web/**', 'src/console/build.ts', 'prisma/generate.ts'],
  });
  const texts = files.map((file) => readFileSync(join(root, file), 'utf8'));
  return Object.keys(packageJson.dependencies).filter((name) => {
    const imported = new RegExp(
      `(?:from|import|resolve)\\s*\\(?\\s*['"]${name.replaceAll('.', '\\.')}['"/]`,
    );
    return texts.some((text) => imported.test(text));
  });
}

type Manifest = {
  dependencies?: Record<string, string>;
  optionalDependencies?: Record<string, string>;
  peerDependencies?: Record<string, string>;
  peerDependenciesMeta?: Record<string, { optional?: boolean }>;
};

/** The directories of these packages and of all that they depend on. */
export function directoriesOf(names: readonly string[], modules: string): Set<string> {
  const kept = new Set<string>();
  const follow = (name: string, from: string): void => {
    const directory = find(name, from, modules);
    if (directory === undefined || kept.has(directory)) return;
    kept.add(directory);
    const {
      dependencies = {},
      optionalDependencies = {},
      peerDependencies = {},
      peerDependenciesMeta = {},
    } = manifestIn(directory);
    const peers = Object.keys(peerDependencies).filter(
      (peer) => peerDependenciesMeta[peer]?.optional !== true,
    );
    for (const needed of [
      ...Object.keys(dependencies),
      ...Object.keys(optionalDependencies),
      ...peers,
    ])
      follow(needed, directory);
  };
  for (const name of names) follow(name, dirname(modules));
  return kept;
}

/** As Node looks a package up: beside the one that asks, then further up. */
function find(name: string, from: string, modules: string): string | undefined {
  const candidate = join(from, 'node_modules', name);
  if (existsSync(join(candidate, 'package.json'))) return candidate;
  return from === dirname(modules) ? undefined : find(name, dirname(from), modules);
}

const manifestIn = (directory: string): Manifest =>
  JSON.parse(readFileSync(join(directory, 'package.json'), 'utf8'));

/** The packages of a node_modules directory, not those inside of them. */
const packagesIn = (modules: string): string[] =>
  existsSync(modules)
    ? readdirSync(modules).flatMap((entry) =>
        entry.startsWith('@')
          ? readdirSync(join(modules, entry)).map((name) => join(modules, entry, name))
          : join(modules, entry),
      )
    : [];

function removeOthers(modules: string, kept: ReadonlySet<string>): void {
  for (const directory of packagesIn(modules)) {
    if (kept.has(directory)) removeOthers(join(directory, 'node_modules'), kept);
    else rmSync(directory, { recursive: true });
  }
}

// Types and source maps, and Prisma's compilers for other databases, of which one is 3 MB.
const neverRead = [
  '**/*.map',
  '**/*.d.{ts,mts,cts}',
  '@prisma/client/runtime/query_compiler_*{cockroachdb,mysql,sqlite,sqlserver}*',
];

if (import.meta.main) {
  const [, , modules] = process.argv;
  if (!modules?.endsWith('/node_modules'))
    throw new Error(
      'Which node_modules? Its whole path, for what does not run is removed from it.',
    );
  removeOthers(modules, directoriesOf(namedAtRuntime(), modules));
  for (const file of globSync(neverRead, { cwd: modules }))
    rmSync(join(modules, file), { recursive: true, force: true });
}
