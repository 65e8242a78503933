import { isBuiltin } from 'node:module';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { bundle } from './bundle.ts';
import { buildWhenChanged } from './when-changed.ts';

// Bundles the program that reads documents. A reader process lives for one document, and loading the
// sources one by one takes four times as long as loading the bundle.

const directory = fileURLToPath(new URL('../vault/extract/generated/reader', import.meta.url));
const entries = ['sandbox-entry', 'reader-program'].map((name) =>
  fileURLToPath(new URL(`../vault/extract/${name}.ts`, import.meta.url)),
);

const noTerminal = fileURLToPath(new URL('../vault/extract/no-terminal.ts', import.meta.url));

/** The reader has no `node:module`, which the bundler would use to require modules of Node. */
const builtinPrefix = '\0builtin:';
const modulesOfNode = {
  name: 'modules-of-node',
  resolveId: {
    order: 'pre' as const,
    handler(source: string, _importer: string | undefined, { kind }: { kind?: string }) {
      if (source === 'tty' || source === 'node:tty') return noTerminal;
      return kind === 'require-call' && isBuiltin(source) ? builtinPrefix + source : undefined;
    },
  },
  load: (id: string) =>
    id.startsWith(builtinPrefix)
      ? `module.exports = process.getBuiltinModule('${id.slice(builtinPrefix.length)}');`
      : undefined,
};

export const buildReader = (): Promise<void> =>
  buildWhenChanged({
    title: 'Building the reader of documents',
    directory,
    sources: [
      'package-lock.json',
      'src/vault/**/*.ts',
      'src/platform/image-header.ts',
      'src/platform/language/*.ts',
    ],
    build: (outDir) =>
      bundle({
        ...{ sources: dirname(directory), directory, outDir, input: entries },
        // It reads its own data beside its script.
        external: ['tesseract.js-core'],
        plugins: [modulesOfNode],
      }),
  });

if (import.meta.main) await buildReader();
