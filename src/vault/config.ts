import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { z } from 'zod';
import type { Env } from '../platform/env.ts';
import { ownFilesDirectory } from '../platform/own-files-directory.ts';
import { settingErrors } from '../platform/setting-faults.ts';
import { type ConfigTree, readConfigFile, writtenIn } from './config-file.ts';
import { configFile, type FileConfig } from './config-sections.ts';
import { hasPassword, isPostgres, postgresFaults } from './vector-db/postgres/address.ts';

const defaultFile = fileURLToPath(new URL('../../vault.yaml', import.meta.url));
export type VaultConfig = Omit<FileConfig, 'vectorDb'> & {
  secret: string;
  vectorDb: { location: string; storageOptions: Record<string, string>; cacheMb: number };
};

type ConfigInput = {
  env: Pick<Env, 'VAULT_CONFIG' | 'DATA_DIR'>;
  /** The values of `${NAME}` in the file. */
  variables: Readonly<Record<string, string | undefined>>;
  /** Undefined if none is set and this process may not create one. */
  secret: string | undefined;
};

/** Reads the settings file. Throws one error that lists every fault and contains no value. */
export function readVaultConfig({ env, variables, secret }: ConfigInput): VaultConfig {
  const name = env.VAULT_CONFIG ?? defaultFile;
  const { parsed, faults: allFaults } = parseConfig(contentOf(name), variables);
  if (secret === undefined)
    allFaults.push(
      'VAULT_SECRET: must be set in the environment; monitoring, documents and search are for those who know it',
    );
  if (!parsed.success || secret === undefined || allFaults.length > 0)
    throw new Error(
      `The settings in ${name} are wrong:\n${allFaults.map((fault) => `  ${fault}`).join('\n')}`,
    );
  const { vectorDb: vectorDbSettings, ...config } = parsed.data;
  return {
    ...config,
    secret,
    vectorDb: {
      ...vectorDbSettings,
      location: vectorDbSettings.location ?? join(ownFilesDirectory(env), 'vectors'),
    },
  };
}

/**
 * The location of a vector database that is not in the settings file, under the same rules. Throws
 * the faults with `vector_db` as their beginning.
 */
export function readVectorLocation(
  location: string,
  storageOptions: Readonly<Record<string, string>>,
  variables: ConfigInput['variables'],
): VaultConfig['vectorDb'] {
  // JSON is YAML.
  const source = JSON.stringify({ vector_db: { location, storage_options: storageOptions } });
  const { parsed, faults } = parseConfig(source, variables);
  if (!parsed.success || faults.length > 0) throw new Error(faults.join('\n'));
  return { ...parsed.data.vectorDb, location: parsed.data.vectorDb.location ?? '' };
}

function parseConfig(source: string, variables: ConfigInput['variables']) {
  const { tree, faults } = readConfigFile(source, variables);
  const parsed = configFile.safeParse(tree, { error: settingErrors });
  return {
    parsed,
    faults: [
      ...faults,
      ...(parsed.error?.issues ?? []).flatMap(formatIssue),
      ...crossSettingFaults(tree),
      ...(parsed.success ? storageFaults(parsed.data.vectorDb) : []),
    ],
  };
}

function contentOf(name: string): string {
  try {
    return readFileSync(name, 'utf8');
  } catch (error) {
    throw new Error(
      `The vault's settings in ${name} cannot be read (${error instanceof Error && 'code' in error ? error.code : 'unknown'}). VAULT_CONFIG names the file.`,
    );
  }
}

function formatIssue(issue: z.core.$ZodIssue): string[] {
  const path = issue.path.join('.');
  if (issue.code === 'unrecognized_keys')
    return issue.keys.map((key) => `${path ? `${path}.` : ''}${key}: there is no such setting`);
  return [`${path || 'the file'}: ${issue.message}`];
}

const storageFaults = ({ location, storageOptions }: FileConfig['vectorDb']): string[] =>
  location !== undefined && isPostgres(location)
    ? postgresFaults(location, storageOptions).map((fault) => `vector_db.${fault}`)
    : [];

// Checks rules between settings. It runs on the raw file, even if single settings are invalid, so
// that one message lists all faults.
function crossSettingFaults(tree: ConfigTree): string[] {
  const sections: Record<string, unknown> = Object(tree);
  const embeddingSettings: Record<string, unknown> = Object(sections['embeddings']);
  const { provider: providerSetting = 'hashing' } = embeddingSettings;
  const provider = String(providerSetting);
  const faults: string[] = [];
  if (['openai', 'local'].includes(provider) && embeddingSettings['model'] === undefined)
    faults.push(`embeddings.model: must be set for the provider ${provider}`);
  const unusedSettings =
    provider === 'hashing'
      ? ['model', 'base_url', 'api_key']
      : provider === 'local'
        ? ['base_url', 'api_key']
        : [];
  for (const name of unusedSettings)
    if (embeddingSettings[name] !== undefined)
      faults.push(`embeddings.${name}: means nothing to the provider ${provider}`);
  const vectorDbSettings: Record<string, unknown> = Object(sections['vector_db']);
  if (hasPassword(writtenIn(vectorDbSettings['location'])))
    faults.push(
      `vector_db.location: its password is a secret: name here the variable of the environment that holds it, as in postgres://user:\${NAME}@host/database`,
    );
  for (const [name, value] of Object.entries(Object(vectorDbSettings['storage_options']))) {
    if (/key|secret|token|password/i.test(name) && typeof value === 'string') {
      faults.push(
        `vector_db.storage_options.${name}: is a secret: name here the variable of the environment that holds it`,
      );
    }
  }
  return faults;
}
