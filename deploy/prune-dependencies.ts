import { existsSync, globSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import packageJson from '../package.json' with { type: 'json' };

// `node deploy/prune-dependencies.ts <node_modules>` removes packages from an image that are needed
// only to build it: all that neither the running sources nor their dependencies import. It runs
// after the console was built and the database client was generated.

const root = fileURLToPath(new URL('..', import.meta.url));

/** The direct dependencies that Atrium imports or resolves at runtime. */
export function runtimeDependencies(): string[] {
  const files = globSync(['src/**/*.ts', 'prisma/*.ts'], {
    cwd: root,
    exclude: [
      'src/console/web/**',
      'src/build/*.ts',
      'src/console/compile-texts.ts',
      'prisma/generate.ts',
    ],
  });
  const texts = files.map((file) => readFileSync(join(root, file), 'utf8'));
  return Object.keys(packageJson.dependencies).filter((name) => {
    const imported = new RegExp(
      `(?:from|import|resolve)\\s*\\(?\\s*['"]${name.replaceAll('.', '\\.')}['"/]`,
    );
    return texts.some((text) => imported.test(text));
  });
}

type PackageManifest = {
  dependencies?: Record<string, string>;
  optionalDependencies?: Record<string, string>;
  peerDependencies?: Record<string, string>;
  peerDependenciesMeta?: Record<string, { optional?: boolean }>;
};

/** The directories of these packages and of their transitive dependencies. */
export function directoriesOf(names: readonly string[], modules: string): Set<string> {
  const required = new Set<string>();
  const follow = (name: string, from: string): void => {
    const directory = resolvePackage(name, from, modules);
    if (directory === undefined || required.has(directory)) return;
    required.add(directory);
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
  return required;
}

/** Resolves a package like Node: next to the importing package, then further up. */
function resolvePackage(name: string, from: string, modules: string): string | undefined {
  const candidate = join(from, 'node_modules', name);
  if (existsSync(join(candidate, 'package.json'))) return candidate;
  return from === dirname(modules) ? undefined : resolvePackage(name, dirname(from), modules);
}

const manifestIn = (directory: string): PackageManifest =>
  JSON.parse(readFileSync(join(directory, 'package.json'), 'utf8'));

/** The packages of a node_modules directory, without nested ones. */
const packagesIn = (modules: string): string[] =>
  existsSync(modules)
    ? readdirSync(modules).flatMap((entry) =>
        entry.startsWith('@')
          ? readdirSync(join(modules, entry)).map((name) => join(modules, entry, name))
          : join(modules, entry),
      )
    : [];

function removeOthers(modules: string, required: ReadonlySet<string>): void {
  for (const directory of packagesIn(modules)) {
    if (required.has(directory)) removeOthers(join(directory, 'node_modules'), required);
    else rmSync(directory, { recursive: true });
  }
}

/** Types, source maps, sources and documentation, and large files that Node never loads here. */
export const unusedFiles = [
  '**/*.map',
  '**/*.d.{ts,mts,cts}',
  '**/{README,CHANGELOG}.md',
  '{zod,ai,apache-arrow,@ai-sdk/*}/{src,docs}',
  '{bintrees,pino,fast-json-stringify}/test',
  // Prisma's query compilers for other databases, its faster and larger ones, and those for
  // CommonJS: 2 to 5 MB each.
  '@prisma/client/runtime/query_compiler_*{cockroachdb,mysql,sqlite,sqlserver}*',
  '@prisma/client/runtime/query_compiler_fast*',
  '@prisma/client/runtime/query_compiler_*.js',
  // Large code that the bundles of the server and of the reader contain, and that no command loads.
  '@graphql-yoga/render-graphiql/{cjs,esm}',
  'unpdf/dist',
  '@electric-sql/pglite/dist/**/*.cjs',
  '@electric-sql/pglite/dist/!(pg_trgm).tar.gz',
  // Other builds of Tesseract, and its larger data: 38 and 18 MB.
  'tesseract.js-core/!(tesseract-core-simd-lstm).{js,wasm}',
  '@tesseract.js-data/*/4.0.0',
];

if (import.meta.main) {
  const [, , modules] = process.argv;
  if (!modules?.endsWith('/node_modules'))
    throw new Error(
      'Name the absolute path of a node_modules directory; packages that are not needed at runtime are removed from it.',
    );
  removeOthers(modules, directoriesOf(runtimeDependencies(), modules));
  for (const file of globSync(unusedFiles, { cwd: modules }))
    rmSync(join(modules, file), { recursive: true, force: true });
}
