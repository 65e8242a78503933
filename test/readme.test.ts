import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { withSettings } from '../deploy/settings-table.ts';
import packageJson from '../package.json' with { type: 'json' };
import { graphLimits } from '../src/graph/limits.ts';
import { jsonBytesMax } from '../src/platform/body.ts';
import { jsonLevelsMax } from '../src/platform/json-depth.ts';
import { readVaultConfig } from '../src/vault/config.ts';
import { readLimits } from '../src/vault/extract/read-document.ts';

const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8');

describe('the README', () => {
  it('tells every setting as it is', () => {
    expect(withSettings(readme)).toBe(readme);
    const stale = readme.replace('port of the API; 0 picks a free one', 'something else');
    expect(stale).not.toBe(readme);
    expect(withSettings(stale)).toBe(readme);
  });

  it('tells the limits of bodies, of the graph and of documents as they are', () => {
    const number = (value: number) => value.toLocaleString('en');
    const {
      documentCharacters,
      tokens,
      fieldsWritten,
      fieldsUnfolded,
      depth,
      rootFields,
      aliases,
      directives,
      cost,
    } = graphLimits;
    const text = readme.replaceAll(/\s+/g, ' ');
    for (const sentence of [
      `A JSON body has at most ${number(jsonBytesMax)} bytes, else 413, and is nested at most ${jsonLevelsMax} levels deep`,
      `at most ${number(documentCharacters)} characters, ${number(tokens)} tokens, ${fieldsWritten} fields as written and ${number(fieldsUnfolded)} with`,
      `${depth} levels, ${rootFields} root fields, ${aliases} aliases and ${directives} directives`,
      `at most ${number(cost)} values`,
    ])
      expect(text).toContain(sentence);
    const { extraction } = readVaultConfig({
      env: { DATA_DIR: ':memory:' },
      variables: {},
      secret: 'a-secret-of-the-test',
    });
    expect(text).toContain(`Of a PDF at most ${number(extraction.pagesMax)} pages are read`);
    expect(readLimits).toMatchObject({
      pagesMax: extraction.pagesMax,
      partsMax: extraction.partsMax,
    });
  });

  it('names only scripts that there are', () => {
    const named = [...readme.matchAll(/npm run (?:--silent )?([\w:-]+)/g)].map(
      ([, script = '']) => script,
    );
    expect(named.length).toBeGreaterThan(0);
    for (const script of named) expect(Object.keys(packageJson.scripts)).toContain(script);
  });
});
