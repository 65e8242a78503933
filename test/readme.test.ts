import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import packageJson from '../package.json' with { type: 'json' };
import { readEnv, settings } from '../src/platform/env.ts';

const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8');

describe('the README', () => {
  const defaults: Record<string, unknown> = { ...readEnv({}), GRAPHIQL: undefined, INTROSPECTION: undefined };

  it.each(Object.entries(settings.shape))('tells the setting %s as it is', (name, schema) => {
    const value = defaults[name];
    const shown = value === undefined || (Array.isArray(value) && value.length === 0) ? '' : `\`${value}\``;
    expect(readme).toContain(`| \`${name}\` | ${shown} | ${schema.description} |`);
  });

  it('names only scripts that there are', () => {
    const named = [...readme.matchAll(/npm run (?:--silent )?([\w:-]+)/g)].map(([, script = '']) => script);
    expect(named.length).toBeGreaterThan(0);
    for (const script of named) expect(Object.keys(packageJson.scripts)).toContain(script);
  });
});
