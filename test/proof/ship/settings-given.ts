import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { readEnv, settings } from '../../../src/platform/env.ts';

export const root = new URL('../../../', import.meta.url);
export const textOf = (path: string) => readFileSync(new URL(path, root), 'utf8');
export const yamlOf = (path: string) => parse(textOf(path), { merge: true });

/** What the environment may hold: the settings, and what vault.yaml takes from it. */
const known = new Set([
  ...Object.keys(settings.shape),
  ...[...textOf('vault.yaml').matchAll(/^[^#]*\$\{(\w+)/gm)].map(([, name = '']) => name),
]);

const secrets = /SECRET|PASSWORD|TOKEN|API_KEY/;

/**
 * Takes the place of `${NAME}`, `${NAME:-otherwise}` and `${NAME:?reason}`, as Compose fills them
 * from .env.
 */
export const filled = (value: string, given: string): string =>
  value.replaceAll(/\$\{(\w+)(?::(-|\?)([^}]*))?\}/g, (_, name, how, other) =>
    how === '-' ? other : secrets.test(name) ? given : '',
  );

/** Names that nobody knows, and what a start with these values would refuse. */
export function faultsOfSettings(who: string, values: Record<string, string>): string[] {
  const strangers = Object.keys(values).filter((name) => !known.has(name));
  const faults = strangers.map((name) => `${who}: there is no setting ${name}`);
  try {
    readEnv({ NODE_ENV: 'production', DATA_DIR: '/data', ...values });
  } catch (error) {
    faults.push(`${who}: ${error instanceof Error ? error.message : error}`);
  }
  return faults;
}

/** Secrets that stand in a file, or have a value where none is given. */
export const leaksIn = (who: string, values: Record<string, string>): string[] =>
  Object.entries(values)
    .filter(
      ([name, value]) =>
        secrets.test(name) && value !== '' && !/^\$\{\w+(:\?[^}]+|:-)\}$/.test(value),
    )
    .map(([name]) => `${who}: ${name} stands in the file`);
