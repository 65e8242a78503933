import { existsSync, globSync, readdirSync } from 'node:fs';
import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import {
  directoriesOf,
  runtimeDependencies,
  unusedFiles,
} from '../../deploy/prune-dependencies.ts';
import packageJson from '../../package.json' with { type: 'json' };

const modules = fileURLToPath(new URL('../../node_modules', import.meta.url));

describe('the dependencies of an image', () => {
  it('an image contains the packages that the sources import, without build tools', () => {
    const dependencies = runtimeDependencies();
    for (const name of [
      'pg',
      'graphql-yoga',
      '@prisma/client',
      '@lancedb/lancedb',
      '@prisma/schema-engine-wasm',
      '@zxcvbn-ts/core',
      '@zxcvbn-ts/language-common',
      '@tesseract.js-data/deu',
    ])
      expect(dependencies).toContain(name);
    for (const name of ['react', 'katex', 'urql']) {
      expect(Object.keys(packageJson.dependencies)).toContain(name);
      expect(dependencies).not.toContain(name);
    }
  });

  it('an image contains transitive and native dependencies, without optional peers', () => {
    const directories = directoriesOf(runtimeDependencies(), modules);
    for (const name of [
      'pg-protocol',
      '@pothos/selection-mapper',
      'atomic-sleep',
      '@zxcvbn-ts/dictionary-compression',
    ])
      expect(directories).toContain(`${modules}/${name}`);
    const native = readdirSync(`${modules}/@lancedb`).filter((name) => name.startsWith('lancedb-'));
    for (const name of native) expect(directories).toContain(`${modules}/@lancedb/${name}`);
    for (const name of ['vitest', 'typescript', 'vite', 'prisma']) {
      expect(existsSync(`${modules}/${name}`)).toBe(true);
      expect(directories).not.toContain(`${modules}/${name}`);
    }
  });

  it('an image contains the files of packages that are loaded and not bundled', () => {
    const removed = globSync(unusedFiles, { cwd: modules });
    const loaded = [
      '@electric-sql/pglite',
      '@electric-sql/pglite/contrib/pg_trgm',
      '@prisma/client/runtime/query_compiler_small_bg.postgresql.mjs',
      '@prisma/client/runtime/query_compiler_small_bg.postgresql.wasm-base64.mjs',
      'tesseract.js-core/tesseract-core-simd-lstm.js',
      '@tesseract.js-data/deu/4.0.0_best_int/deu.traineddata.gz',
      'zod',
      'ai',
      'apache-arrow',
    ].map((name) => relative(modules, fileURLToPath(import.meta.resolve(name))));
    for (const path of [...loaded, '@electric-sql/pglite/dist/pg_trgm.tar.gz']) {
      expect(existsSync(`${modules}/${path}`)).toBe(true);
      expect(removed.filter((file) => path === file || path.startsWith(`${file}/`))).toEqual([]);
    }
  });
});
