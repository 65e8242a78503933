import { afterAll, beforeAll, expect, it } from 'vitest';
import type { JsonSchema } from '../../src/rest/openapi/document.ts';
import { committedDocument, faultsOf, resolve } from '../support/openapi.ts';
import { temporaryDirectory } from '../support/process.ts';
import { bearer, recordLog, testVault, vaultSecret } from '../support/vault.ts';
import { startVectorDb } from '../support/vector-db.ts';

const directory = temporaryDirectory();
let vectorDb: Awaited<ReturnType<typeof startVectorDb>>;
let vault: Awaited<ReturnType<typeof testVault>>;
let unmonitored: Awaited<ReturnType<typeof testVault>>;
beforeAll(async () => {
  vectorDb = await startVectorDb(directory.path, recordLog().log);
  vault = await testVault({ vectorDbUrl: vectorDb.url });
  const yaml =
    'logging: { system_monitoring_interval: 0, storage_monitoring_interval: 0, database_monitoring_interval: 0 }';
  unmonitored = await testVault({ yaml, vectorDbUrl: 'http://127.0.0.1:1' });
});
afterAll(async () => {
  await vault.close();
  await unmonitored.close();
  await vectorDb.stop();
  directory.remove();
});

const schemaOf = (path: string, status: number): JsonSchema => {
  const response = committedDocument.paths[path]?.['get']?.responses[status];
  const answer = response && resolve(response, committedDocument.components.responses);
  return answer?.content?.['application/json']?.schema ?? {};
};

/** The fields of a value that its schema does not name. */
function unknownFields(schema: JsonSchema, value: unknown, path = ''): string[] {
  const name = schema.$ref?.split('/').at(-1);
  const { properties, items, anyOf } = name
    ? (committedDocument.components.schemas[name] ?? {})
    : schema;
  if (value === null) return [];
  if (anyOf?.[0]) return unknownFields(anyOf[0], value, path);
  if (Array.isArray(value) && items)
    return value.flatMap((item) => unknownFields(items, item, `${path}[]`));
  if (!properties) return [];
  return Object.entries(Object(value)).flatMap(([field, inner]) =>
    properties[field]
      ? unknownFields(properties[field], inner, `${path}.${field}`)
      : [`${path}.${field}`],
  );
}

function expectExact(path: string, { status, body }: { status: number; body: unknown }) {
  const schema = schemaOf(path, status);
  expect(schema.$ref).toBeDefined();
  expect({ faults: faultsOf(schema, body), unknown: unknownFields(schema, body) }).toEqual({
    faults: [],
    unknown: [],
  });
}

it.each(['/health', '/health/system', '/health/ratelimit'])(
  'The answers of %s have exactly the documented fields',
  async (path) => {
    const answer = await vault.request('GET', path, bearer(vaultSecret));
    expect(answer.status).toBe(200);
    expectExact(path, answer);
    const without = await unmonitored.request('GET', path, bearer(vaultSecret));
    expect(without.status).toBe(path === '/health' ? 503 : 404);
    expectExact(path, without);
    if (path === '/health') return;
    const rejected = await vault.request('GET', path, {});
    expect(rejected.status).toBe(401);
    expectExact(path, rejected);
  },
);

it.each(['/v1/.well-known/ready', '/v1/meta'])(
  'The answer of %s has exactly the documented fields',
  async (path) => {
    const response = await fetch(vectorDb.url + path);
    const answer = { status: response.status, body: await response.json() };
    expect(answer.status).toBe(200);
    expectExact(path, answer);
  },
);
