import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { signatureRecipes } from '../../src/console/web/settings/webhooks/signature-recipes.ts';

const guide = readFileSync(new URL('../../docs/guides/webhooks.md', import.meta.url), 'utf8');

it.each(signatureRecipes)('The console has the code for $language of the guide', ({ code }) => {
  expect(guide).toContain(`\n${code}\`\`\``);
});
