import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { readEnv } from '../../../src/platform/env.ts';
import { settings } from '../../../src/platform/settings.ts';

export const root = new URL('../../../', import.meta.url);
export const textOf = (path: string) => readFileSync(new URL(path, root), 'utf8');
export const yamlOf = (path: string) => parse(textOf(path), { merge: true });

/** The allowed environment variables: the settings, and those that vault.yaml refers to. */
const knownNames = new Set([
  ...Object.keys(settings.shape),
  ...[...textOf('vault.yaml').matchAll(/^[^#]*\$\{(\w+)/gm)].map(([, name = '']) => name),
]);

const secretNames = /SECRET|PASSWORD|TOKEN|API_KEY/;

/** Replaces `${NAME}`, `${NAME:-default}` and `${NAME:?reason}` as Compose does from .env. */
export const fillPlaceholders = (value: string, sampleSecret: string): string =>
  value.replaceAll(/\$\{(\w+)(?::(-|\?)([^}]*))?\}/g, (_, name, operator, fallback) =>
    operator === '-' ? fallback : secretNames.test(name) ? sampleSecret : '',
  );

/** Unknown settings, and the error with which a start would refuse these values. */
export function settingFaults(component: string, values: Record<string, string>): string[] {
  const unknownNames = Object.keys(values).filter((name) => !knownNames.has(name));
  const faults = unknownNames.map((name) => `${component}: there is no setting ${name}`);
  try {
    readEnv({ NODE_ENV: 'production', DATA_DIR: '/data', ...values });
  } catch (error) {
    faults.push(`${component}: ${error instanceof Error ? error.message : error}`);
  }
  return faults;
}

/** Secrets whose value is written in the file instead of coming from the environment. */
export const findSecrets = (component: string, values: Record<string, string>): string[] =>
  Object.entries(values)
    .filter(
      ([name, value]) =>
        secretNames.test(name) && value !== '' && !/^\$\{\w+(:\?[^}]+|:-)\}$/.test(value),
    )
    .map(([name]) => `${component}: the value of ${name} is written in the file`);
