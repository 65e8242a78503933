import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { readVaultConfig } from '../../src/vault/config.ts';
import { run, serverProgram, temporaryDirectory } from '../support/process.ts';
import { configFrom, vaultSecret } from '../support/vault.ts';

const faultsOf = (yaml: string, variables: Record<string, string> = {}, secret?: string) => {
  try {
    configFrom(yaml, variables, secret);
    return 'nothing is wrong';
  } catch (error) {
    return error instanceof Error ? error.message : '';
  }
};

describe('vault.yaml', () => {
  it('The vault.yaml of the repository contains the default settings', () => {
    const defaults = readVaultConfig({
      env: { VAULT_CONFIG: undefined, DATA_DIR: 'data' },
      variables: {},
      secret: vaultSecret,
    });
    expect({ ...defaults, vectorDb: { ...defaults.vectorDb, location: '' } }).toEqual({
      ...configFrom(''),
      vectorDb: { location: '', storageOptions: {}, cacheMb: 640 },
    });
    expect(defaults.vectorDb.location).toBe(join('data', 'vectors'));
    expect(defaults.logging).toEqual({
      heartbeatUrl: undefined,
      heartbeatIntervalMinutes: 1,
      systemMonitoringInterval: 60,
      storageMonitoringInterval: 300,
      databaseMonitoringInterval: 60,
      logToFile: false,
    });
    const yaml = parse(readFileSync(new URL('../../vault.yaml', import.meta.url), 'utf8'));
    expect(Object.keys(yaml.logging)).toHaveLength(6);
  });

  it('Every setting can be set in the file or by a variable of the environment', () => {
    const variables = {
      BEAT: 'https://up.example/beat',
      MINUTES: '5',
      SECONDS: '0',
      FILES: 'true',
      BUCKET: 'vectors',
      KEY: 'k'.repeat(20),
      PROVIDER: 'openai',
    };
    const config = configFrom(
      `
logging:
  heartbeat_url: \${BEAT}
  heartbeat_interval_minutes: \${MINUTES}
  system_monitoring_interval: 10
  storage_monitoring_interval: \${SECONDS}
  database_monitoring_interval: \${NOBODY:-30}
  log_to_file: \${FILES}
vector_db:
  location: s3://\${BUCKET}/atrium
  storage_options: { region: eu-central-1, secret_access_key: "\${KEY}" }
  cache_mb: 64
embeddings: { provider: "\${PROVIDER}", model: small, base_url: "http://models.example/v1", api_key: "\${KEY}", dimensions: 512 }
rerank: { url: "http://models.example/rerank" }
extraction: { time_seconds: 10, memory_mb: 64, unpacked_mb: 100, pages_max: 5, parts_max: 6, text_mb: 7, passages_max: 8, workers: 1, ocr: false, ocr_pages_max: 9, ocr_seconds: 11, ocr_megapixels_max: 12 }
rate_limit: { requests_per_minute: 3 }
`,
      variables,
    );
    expect(config).toEqual({
      secret: vaultSecret,
      logging: {
        heartbeatUrl: 'https://up.example/beat',
        heartbeatIntervalMinutes: 5,
        systemMonitoringInterval: 10,
        storageMonitoringInterval: 0,
        databaseMonitoringInterval: 30,
        logToFile: true,
      },
      vectorDb: {
        location: 's3://vectors/atrium',
        storageOptions: { region: 'eu-central-1', secret_access_key: variables.KEY },
        cacheMb: 64,
      },
      embeddings: {
        provider: 'openai',
        model: 'small',
        baseUrl: 'http://models.example/v1',
        apiKey: variables.KEY,
        dimensions: 512,
      },
      rerank: { url: 'http://models.example/rerank', model: undefined, apiKey: undefined },
      extraction: {
        timeSeconds: 10,
        memoryMb: 64,
        unpackedMb: 100,
        pagesMax: 5,
        partsMax: 6,
        textMb: 7,
        passagesMax: 8,
        workers: 1,
        ocr: false,
        ocrPagesMax: 9,
        ocrSeconds: 11,
        ocrMegapixelsMax: 12,
      },
      rateLimit: { requestsPerMinute: 3 },
    });
  });

  it.each([
    ['logging: { hartbeat_url: x }', 'logging.hartbeat_url: there is no such setting'],
    ['lodging: {}', 'lodging: there is no such setting'],
    ['logging: { log_to_file: "true" }', 'logging.log_to_file:'],
    ['logging: { log_to_file: 1 }', 'logging.log_to_file:'],
    ['logging: { system_monitoring_interval: "60" }', 'logging.system_monitoring_interval:'],
    ['logging: { storage_monitoring_interval: 1.5 }', 'logging.storage_monitoring_interval:'],
    ['logging: { database_monitoring_interval: -1 }', 'logging.database_monitoring_interval:'],
    ['logging: { heartbeat_interval_minutes: often }', 'logging.heartbeat_interval_minutes:'],
    ['logging: []', 'logging:'],
    ['- logging', 'the file:'],
    ['embeddings: { provider: magic }', 'embeddings.provider:'],
    ['embeddings: { provider: local }', 'embeddings.model: must be set for the provider local'],
    ['embeddings: { model: small }', 'embeddings.model: means nothing to the provider hashing'],
    ['rerank: { model: x }', 'rerank.url:'],
    ['rerank: { url: "file:///etc/passwd" }', 'rerank.url:'],
    ['extraction: { workers: 0 }', 'extraction.workers:'],
    ['rate_limit: { requests_per_minute: 0 }', 'rate_limit.requests_per_minute:'],
    ['vector_db: { location: "postgres:///vectors" }', 'vector_db.location: must be an address'],
    [
      'vector_db: { location: "postgres://db/v", storage_options: { schema: Vectors } }',
      'vector_db.storage_options.schema: must be 1 to 63 small letters',
    ],
    [
      'vector_db: { location: "postgres://db/v", storage_options: { schema: public } }',
      'vector_db.storage_options.schema: must be a schema that nothing else uses',
    ],
    [
      'vector_db: { location: "postgresql://db/v", storage_options: { region: x } }',
      'vector_db.storage_options.region: means nothing to Postgres',
    ],
    ['logging:\n  log_to_file: true\n  log_to_file: false', 'line 3: not valid YAML'],
    ['logging: [', 'line 1: not valid YAML'],
    [
      `logging:\n  heartbeat_url: \${ABSENT}`,
      'logging.heartbeat_url: ABSENT is not set in the environment',
    ],
  ])('The file %j is rejected with the name of the setting', (yaml, fault) => {
    expect(faultsOf(yaml)).toContain(`\n  ${fault}`);
  });

  it.each([
    ['logging.heartbeat_url', 'logging: { heartbeat_url: "https://up.example/s3cret" }'],
    ['logging.heartbeat_url', `logging:\n  heartbeat_url: \${ABSENT:-https://up.example/s3cret}`],
    ['embeddings.api_key', 'embeddings: { provider: openai, model: m, api_key: s3cret }'],
    ['rerank.api_key', 'rerank: { url: "http://models.example", api_key: s3cret }'],
    [
      'vector_db.storage_options.secret_access_key',
      'vector_db: { storage_options: { secret_access_key: s3cret } }',
    ],
    [
      'vector_db.storage_options.password',
      'vector_db: { location: "postgres://u@db/v", storage_options: { password: s3cret } }',
    ],
  ])(
    'A file that contains the secret %s is rejected, and the message does not repeat the secret',
    (path, yaml) => {
      expect(faultsOf(yaml)).toContain(`${path}: is a secret`);
      expect(faultsOf(yaml)).not.toContain('s3cret');
    },
  );

  it.each([
    'postgres://u:s3cret@db/v',
    'postgresql://u:s3cret@db:5432/v?sslmode=require',
    `postgres://u:\${ABSENT:-s3cret}@db/v`,
    `postgres://\${USER_NAME}:s3cret@\${HOST}/v`,
    'postgres://u@db/v?password=s3cret',
  ])('The location %s with a password in the file is rejected without the password', (location) => {
    const faults = faultsOf(`vector_db:\n  location: ${location}`, {
      USER_NAME: 'u',
      HOST: 'db',
    });
    expect(faults).toContain('vector_db.location: its password is a secret');
    expect(faults).not.toContain('s3cret');
  });

  it('The password of a location in Postgres can come from the environment', () => {
    const { vectorDb } = configFrom(
      `vector_db:\n  location: postgres://u:\${PASSWORD}@db/v\n  storage_options: { schema: own }`,
      { PASSWORD: 's3cret' },
    );
    expect(vectorDb).toMatchObject({
      location: 'postgres://u:s3cret@db/v',
      storageOptions: { schema: 'own' },
    });
  });

  it('A vault with wrong settings and no secret exits with code 1 and one message that lists every fault', async () => {
    const directory = temporaryDirectory();
    const file = join(directory.path, 'wrong.yaml');
    writeFileSync(
      file,
      'logging: { nothing: 1, log_to_file: maybe, system_monitoring_interval: 60 }\nembeddings: { provider: openai }\n',
    );
    const { ended, stderr } = run(
      serverProgram(),
      { VAULT_CONFIG: file, DATA_DIR: directory.path, VAULT_PORT: '0' },
      ['vault'],
    );
    expect(await ended).toBe(1);
    for (const name of [
      'logging.nothing',
      'logging.log_to_file',
      'embeddings.model',
      'VAULT_SECRET',
    ])
      expect(stderr()).toContain(`\n  ${name}: `);
    expect(stderr()).not.toMatch(/\n\s+at /);
    directory.remove();
  });

  it('A missing settings file is reported with its path', () => {
    expect(() =>
      readVaultConfig({
        env: { VAULT_CONFIG: '/nowhere/vault.yaml', DATA_DIR: '.' },
        variables: {},
        secret: vaultSecret,
      }),
    ).toThrow(/\/nowhere\/vault\.yaml.*ENOENT/);
  });

  it('A vault without monitoring needs a secret too', () => {
    expect(
      faultsOf(
        'logging: { system_monitoring_interval: 0, storage_monitoring_interval: 0, database_monitoring_interval: 0 }',
      ),
    ).toBe('nothing is wrong');
    expect(() =>
      readVaultConfig({
        env: { VAULT_CONFIG: undefined, DATA_DIR: '.' },
        variables: {},
        secret: undefined,
      }),
    ).toThrow(/VAULT_SECRET/);
  });
});
