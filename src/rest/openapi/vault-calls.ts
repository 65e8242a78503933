import type { JsonSchema, OpenApiDocument, OpenApiOperation, SecurityScheme } from './document.ts';
import { orNull } from './leaf-schema.ts';
import { objectSchema as object } from './response-schema.ts';

export const vaultTag = {
  name: 'Vault',
  description:
    'Health and monitoring of the vault and of the vector database, which have addresses of their own. The addresses are those of an installation on one machine.',
};

export const vaultSecurityScheme: Record<string, SecurityScheme> = {
  vaultSecret: {
    type: 'http',
    scheme: 'bearer',
    description:
      'The secret of the vault, `VAULT_SECRET` in its settings. Atrium itself signs its calls instead.',
  },
};

const vault = { url: 'http://localhost:4100', description: 'The vault' };
const vectorDb = { url: 'http://localhost:4200', description: 'The vector database' };

const text: JsonSchema = { type: 'string' };
const integer: JsonSchema = { type: 'integer' };
const number: JsonSchema = { type: 'number' };
const time: JsonSchema = { type: 'string', format: 'date-time' };
const status: JsonSchema = { type: 'string', enum: ['healthy', 'unhealthy'] };

const reachability = { status, latencyMs: orNull(number) };
const head = { status, timestamp: time };
const disk = object({
  path: text,
  totalBytes: integer,
  usedBytes: integer,
  freeBytes: integer,
  usagePercent: number,
});
const sampleAge = orNull(object({ sampledAt: time, ageSeconds: integer }));

const health: JsonSchema = {
  title: 'VaultHealth',
  ...object({
    status,
    version: text,
    uptimeSeconds: integer,
    checks: object({ vectorDb: object(reachability) }),
  }),
};

const systemUsage: JsonSchema = {
  title: 'VaultSystemUsage',
  ...object({
    ...head,
    uptimeSeconds: integer,
    cpu: orNull(
      object({
        usagePercent: number,
        cores: number,
        loadAverage: { type: 'array', items: number },
        source: text,
      }),
    ),
    memory: orNull(
      object({
        totalBytes: integer,
        usedBytes: integer,
        freeBytes: integer,
        usagePercent: number,
        source: text,
      }),
    ),
    storage: orNull({ type: 'array', items: disk }),
    database: orNull(object({ status, documentCount: orNull(integer), latencyMs: orNull(number) })),
    process: orNull(
      object({ rssBytes: integer, heapUsedBytes: integer, eventLoopDelayMs: number }),
    ),
    reembedding: object({ done: integer, total: integer }),
    intervals: {
      description: 'The seconds between two samples; 0 if they are switched off.',
      ...object({ system: integer, storage: integer, database: integer }),
    },
    samples: object({ system: sampleAge, storage: sampleAge, database: sampleAge }),
  }),
};

const rateLimit: JsonSchema = {
  title: 'VaultRateLimit',
  ...object({
    ...head,
    limit: integer,
    remaining: integer,
    used: integer,
    reset: { ...integer, description: 'The end of the window, as Unix time in seconds.' },
    windowSeconds: integer,
    limited: { type: 'boolean' },
    blockedTotal: integer,
  }),
};

const readiness: JsonSchema = { title: 'VectorDbReadiness', ...object({ status }) };

const meta: JsonSchema = {
  title: 'VectorDbMeta',
  ...object({
    hostname: text,
    version: text,
    modules: { type: 'object' },
    documentCount: integer,
    objectCount: integer,
    collections: integer,
  }),
};

const error: JsonSchema = {
  title: 'VaultError',
  ...object({ status: { type: 'string', const: 'error' }, message: text }),
};

/** The health endpoints of the vault and of the vector database. */
export const vaultPaths = (): OpenApiDocument['paths'] => ({
  '/health': {
    get: {
      ...call('VaultHealth', 'Reports whether the vault is healthy', vault),
      responses: {
        200: answer('The vault is healthy', health),
        503: answer('The vault cannot reach the vector database', health),
      },
    },
  },
  '/health/system': {
    get: monitored(
      'VaultSystem',
      'Reports the use of processor, memory, disks and database',
      systemUsage,
    ),
  },
  '/health/ratelimit': {
    get: monitored('VaultRateLimit', 'Reports the rate limit of the vault', rateLimit),
  },
  '/v1/.well-known/ready': {
    get: {
      ...call('VectorDbReady', 'Reports whether the vector database is ready', vectorDb),
      responses: {
        200: answer('The vector database is ready', readiness),
        401: answer('A secret was sent, and it is wrong', error),
        503: answer('The vector database is not ready', readiness),
      },
    },
  },
  '/v1/meta': {
    get: {
      ...call('VectorDbMeta', 'Counts the documents of the vector database', vectorDb),
      responses: {
        200: answer('Success', meta),
        401: answer('A secret was sent, and it is wrong', error),
      },
    },
  },
});

const call = (operationId: string, summary: string, server: typeof vault) => ({
  operationId,
  summary,
  tags: [vaultTag.name],
  security: [],
  servers: [server],
  parameters: [],
});

const monitored = (operationId: string, summary: string, schema: JsonSchema): OpenApiOperation => ({
  ...call(operationId, summary, vault),
  security: [{ vaultSecret: [] }],
  responses: {
    200: answer('Success', schema),
    401: answer('The secret is missing or wrong', error),
    404: answer('Monitoring is off', error),
  },
});

const answer = (description: string, schema: JsonSchema) => ({
  description,
  headers: {},
  content: { 'application/json': { schema } },
});
