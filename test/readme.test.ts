import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { withSettings } from '../deploy/settings-table.ts';
import packageJson from '../package.json' with { type: 'json' };

const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8');

describe('the README', () => {
  it('tells every setting as it is', () => {
    expect(withSettings(readme)).toBe(readme);
    const stale = readme.replace('port of the API; 0 picks a free one', 'something else');
    expect(stale).not.toBe(readme);
    expect(withSettings(stale)).toBe(readme);
  });

  it('names only scripts that there are', () => {
    const named = [...readme.matchAll(/npm run (?:--silent )?([\w:-]+)/g)].map(([, script = '']) => script);
    expect(named.length).toBeGreaterThan(0);
    for (const script of named) expect(Object.keys(packageJson.scripts)).toContain(script);
  });
});
