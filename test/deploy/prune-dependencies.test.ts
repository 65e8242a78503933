import { existsSync, readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { directoriesOf, runtimeDependencies } from '../../deploy/prune-dependencies.ts';
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
    ])
      expect(dependencies).toContain(name);
    for (const name of ['react', 'recharts', 'urql']) {
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
});
