import { globSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { bundle } from './bundle.ts';
import { buildWhenChanged } from './when-changed.ts';

// Bundles the server with its dependencies: loading 2,500 files one by one takes most of the time of
// a start.

const sources = fileURLToPath(new URL('..', import.meta.url));
const packages = join(sources, '../node_modules');
const directory = join(sources, 'generated/server');

/** The program and the scripts of its threads and worker processes. */
const scripts = [
  'main.ts',
  'worker.ts',
  'part-thread.ts',
  'modules/runs/extractive/answer-worker.ts',
  'modules/runs/output/check-worker.ts',
  'platform/database/pglite-thread.ts',
  'vault/vector-db/sqlite/thread-program.ts',
];

/** Packages that load files of their own: native code, WebAssembly, scripts of threads, fonts. */
const packagesWithFiles = [
  '@electric-sql/pglite',
  '@electric-sql/pglite-prepopulatedfs',
  '@lancedb/lancedb',
  '@prisma/client',
  '@prisma/schema-engine-wasm',
  'apache-arrow',
  'pdfkit',
  'pino',
  'pino-pretty',
  'tesseract.js-core',
];

/**
 * The package contains its code twice, for `import` and for `require`, and each of the two rejects
 * the types that the other has made. So the bundle contains only the first.
 */
const oneGraphql = {
  name: 'one-graphql',
  enforce: 'pre' as const,
  resolveId(source: string): string | undefined {
    const match = /^graphql(?:\/(.+?))?(?:\.m?js)?$/.exec(source);
    return match ? join(packages, 'graphql', `${match[1] ?? 'index'}.mjs`) : undefined;
  },
};

export const buildServer = (): Promise<void> =>
  buildWhenChanged({
    title: 'Building the server',
    directory,
    sources: ['package-lock.json', 'src/*.ts', 'src/!(client|console)/**/*.ts', 'src/console/*.ts'],
    build: (outDir) => {
      // The program loads its tools by their folder, so each of them is an entry.
      const tools = globSync('modules/runs/tools/*.ts', { cwd: sources });
      const entries = [
        ...scripts.map((file) => [basename(file, '.ts'), file]),
        ...tools.map((file) => [`tools/${basename(file, '.ts')}`, file]),
      ];
      return bundle({
        ...{ sources, directory, outDir },
        input: Object.fromEntries(entries.map(([name, file = '']) => [name, join(sources, file)])),
        external: packagesWithFiles,
        plugins: [oneGraphql],
        bundledAddress(path) {
          if (path === './tools/') return path;
          const name = basename(path, '.ts');
          return entries.some(([entry]) => entry === name) ? `./${name}.mjs` : undefined;
        },
      });
    },
  });

if (import.meta.main) await buildServer();
