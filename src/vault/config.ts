import { readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import type { Env } from '../platform/env.ts';
import {
  type ConfigTree,
  flag,
  fromEnvironment,
  number,
  readConfigFile,
  text,
  webAddress,
  writtenIn,
} from './config-file.ts';
import { hasPassword, isPostgres, postgresFaults } from './vector-db/postgres/address.ts';

const defaultFile = fileURLToPath(new URL('../../vault.yaml', import.meta.url));
const daySeconds = 86_400;
export const defaultCacheMb = 640;

const seconds = (defaultValue: number) =>
  number(z.int().min(0).max(daySeconds)).default(defaultValue);
const count = (defaultValue: number, max: number) =>
  number(z.int().min(1).max(max)).default(defaultValue);

const logging = z
  .strictObject({
    heartbeat_url: fromEnvironment(webAddress()).optional(),
    heartbeat_interval_minutes: number(z.number().min(0).max(10_080)).default(1),
    system_monitoring_interval: seconds(60),
    storage_monitoring_interval: seconds(300),
    database_monitoring_interval: seconds(60),
    log_to_file: flag().default(false),
  })
  .prefault({})
  .transform((section) => ({
    heartbeatUrl: section.heartbeat_url,
    heartbeatIntervalMinutes: section.heartbeat_interval_minutes,
    /** These three intervals are in seconds; 0 switches the monitoring off. */
    systemMonitoringInterval: section.system_monitoring_interval,
    storageMonitoringInterval: section.storage_monitoring_interval,
    databaseMonitoringInterval: section.database_monitoring_interval,
    logToFile: section.log_to_file,
  }));

const vectorDb = z
  .strictObject({
    location: text(z.string().min(1)).optional(),
    storage_options: z.record(z.string(), text(z.string())).default({}),
    cache_mb: count(defaultCacheMb, 65_536),
  })
  .prefault({})
  .transform(({ location, storage_options, cache_mb }) => ({
    location,
    storageOptions: storage_options,
    cacheMb: cache_mb,
  }));

const embeddings = z
  .strictObject({
    provider: text(z.enum(['hashing', 'openai', 'local'])).default('hashing'),
    model: text(z.string().min(1)).optional(),
    base_url: text(webAddress()).optional(),
    api_key: fromEnvironment(z.string()).optional(),
    dimensions: number(z.int().min(16).max(4096)).optional(),
  })
  .prefault({})
  .transform(({ provider, model, base_url, api_key, dimensions }) => ({
    provider,
    model,
    baseUrl: base_url,
    apiKey: api_key,
    dimensions,
  }));

const rerank = z
  .strictObject({
    url: text(webAddress()),
    model: text(z.string().min(1)).optional(),
    api_key: fromEnvironment(z.string()).optional(),
  })
  .transform(({ url, model, api_key }) => ({ url, model, apiKey: api_key }))
  .optional();

const extraction = z
  .strictObject({
    time_seconds: count(300, 3600),
    memory_mb: count(512, 65_536),
    unpacked_mb: count(1024, 65_536),
    pages_max: count(20_000, 1_000_000),
    parts_max: count(10_000, 1_000_000),
    text_mb: count(256, 1_024),
    passages_max: count(200_000, 10_000_000),
    workers: count(3, 64),
    ocr: flag().default(true),
    ocr_pages_max: count(200, 1_000_000),
    ocr_seconds: count(1200, 86_400),
    ocr_megapixels_max: count(40, 1_000),
  })
  .prefault({})
  .transform((section) => ({
    timeSeconds: section.time_seconds,
    memoryMb: section.memory_mb,
    unpackedMb: section.unpacked_mb,
    pagesMax: section.pages_max,
    partsMax: section.parts_max,
    textMb: section.text_mb,
    passagesMax: section.passages_max,
    workers: section.workers,
    ocr: section.ocr,
    ocrPagesMax: section.ocr_pages_max,
    ocrSeconds: section.ocr_seconds,
    ocrMegapixelsMax: section.ocr_megapixels_max,
  }));

const rateLimit = z
  .strictObject({ requests_per_minute: count(60_000, 1_000_000) })
  .prefault({})
  .transform((section) => ({ requestsPerMinute: section.requests_per_minute }));

const file = z
  .strictObject({
    logging,
    vector_db: vectorDb,
    embeddings,
    rerank,
    extraction,
    rate_limit: rateLimit,
  })
  .transform(({ vector_db, rate_limit, ...sections }) => ({
    ...sections,
    vectorDb: vector_db,
    rateLimit: rate_limit,
  }));

type FileConfig = z.output<typeof file>;
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
      location: vectorDbSettings.location ?? join(dataDirectory(env), 'vectors'),
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
  const parsed = file.safeParse(tree);
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

/** The directory for the files that the vault writes itself. */
export const dataDirectory = ({ DATA_DIR }: Pick<Env, 'DATA_DIR'>): string =>
  DATA_DIR === ':memory:' ? join(tmpdir(), `atrium-vault-${process.pid}`) : DATA_DIR;

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
