import { existsSync, readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { directoriesOf, namedAtRuntime } from '../../deploy/keep-what-runs.ts';
import packageJson from '../../package.json' with { type: 'json' };

const modules = fileURLToPath(new URL('../../node_modules', import.meta.url));

describe('what an image keeps of the dependencies', () => {
  it('is what the sources import, and not what only builds the console and the client', () => {
    const named = namedAtRuntime();
    for (const name of [
      'pg',
      'graphql-yoga',
      '@prisma/client',
      '@lancedb/lancedb',
      '@prisma/schema-engine-wasm',
      '@zxcvbn-ts/core',
      '@zxcvbn-ts/language-common',
    ])
      expect(named).toContain(name);
    for (const name of ['vite', 'prisma', 'react', 'recharts', 'urql']) {
      expect(Object.keys(packageJson.dependencies)).toContain(name);
      expect(named).not.toContain(name);
    }
  });

  it('is all that those depend on, natively too, and nobody’s optional peers', () => {
    const kept = directoriesOf(namedAtRuntime(), modules);
    for (const name of [
      'pg-protocol',
      '@pothos/selection-mapper',
      'atomic-sleep',
      '@zxcvbn-ts/dictionary-compression',
    ])
      expect(kept).toContain(`${modules}/${name}`);
    const native = readdirSync(`${modules}/@lancedb`).filter((name) => name.startsWith('lancedb-'));
    for (const name of native) expect(kept).toContain(`${modules}/@lancedb/${name}`);
    for (const name of ['vitest', 'typescript', 'vite']) {
      expect(existsSync(`${modules}/${name}`)).toBe(true);
      expect(kept).not.toContain(`${modules}/${name}`);
    }
  });
});
