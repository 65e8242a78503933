import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { withErrorTables } from './error-tables.ts';
import { dashboard } from './grafana/dashboard.ts';
import { licences, licencesDocument } from './licences.ts';
import { withSettings } from './settings-table.ts';

const root = new URL('../', import.meta.url);
const textOf = (name: string) =>
  existsSync(new URL(name, root)) ? readFileSync(new URL(name, root), 'utf8') : '';

/** The documents that are computed from the sources, by name, with the text that they must have. */
export function emittedForOperators(): Record<string, string> {
  return {
    'docs/operate/settings.md': withSettings(textOf('docs/operate/settings.md')),
    'docs/api/errors.md': withErrorTables(textOf('docs/api/errors.md')),
    'deploy/grafana/atrium.json': `${JSON.stringify(dashboard(), null, 2)}\n`,
    'deploy/licences.md': licencesDocument(licences()),
  };
}

export const staleForOperators = (): string[] =>
  Object.entries(emittedForOperators())
    .filter(([name, text]) => textOf(name) !== text)
    .map(([name]) => name);

function check(): void {
  const stale = staleForOperators();
  for (const name of stale) process.stderr.write(`${name} is stale: run npm run codegen\n`);
  if (stale.length > 0) process.exitCode = 1;
}

function emit(): void {
  for (const [name, text] of Object.entries(emittedForOperators()))
    if (textOf(name) !== text) writeFileSync(new URL(name, root), text);
}

if (import.meta.main) process.argv.includes('--check') ? check() : emit();
