import { z } from 'zod';
import {
  address,
  addressWithPassword,
  count,
  days,
  documentPolicies,
  flag,
  isNetwork,
  list,
  modelCapabilities,
  modelPrices,
  origin,
  port,
  providers,
  serviceUrl,
  signInProviders,
} from './setting-forms.ts';

/** Every setting with its description, which docs/operate/settings.md shows. */
export const settings = z.object({
  NODE_ENV: z
    .enum(['development', 'test', 'production'])
    .default('development')
    .describe('production: no demo data, GraphiQL and introspection off unless switched on'),
  PORT: port.default(4000).describe('port of the API; 0 picks a free one'),
  VAULT_PORT: port.default(4100).describe('port of the vault; 0 picks a free one'),
  VECTOR_DB_PORT: port.default(4200).describe('port of the vector database; 0 picks a free one'),
  HOST: z.string().default('127.0.0.1').describe('address to listen on'),
  ORIGIN: origin
    .optional()
    .describe('public address of Atrium; absent: the address on which it listens'),
  DATA_DIR: z
    .string()
    .default('.data')
    .describe('directory of the embedded database and of the secrets that Atrium generates'),
  DATABASE_URL: addressWithPassword(
    /^postgres(ql)?$/,
    'postgres://user:password@db.example.com:5432/atrium',
  )
    .optional()
    .describe('address of a Postgres database; absent: the embedded database in DATA_DIR'),
  DATABASE_POOL: count.default(4).describe('connections to Postgres per process'),
  WORKERS: z.coerce
    .number()
    .int()
    .min(1)
    .max(256)
    .default(1)
    .describe(
      'processes that serve the API on one port, for example one per core; more than one requires DATABASE_URL',
    ),
  REDIS_URL: addressWithPassword(/^rediss?$/, 'redis://:password@redis.example.com:6379')
    .optional()
    .describe(
      'Redis that counts the rate limits of several processes; absent: each process counts alone, together with its workers',
    ),
  S3_BUCKET: z
    .string()
    .min(1)
    .optional()
    .describe('bucket in which files are stored; absent: the directory files in DATA_DIR'),
  S3_ENDPOINT: serviceUrl.describe('address of an S3-compatible service; absent: Amazon S3'),
  S3_REGION: z.string().default('us-east-1').describe('region of the bucket'),
  S3_ACCESS_KEY_ID: z
    .string()
    .optional()
    .describe(
      'access key of the bucket; absent: the AWS SDK looks for credentials, for example in the role of the machine',
    ),
  S3_SECRET_ACCESS_KEY: z.string().optional().describe('secret of S3_ACCESS_KEY_ID'),
  LOG_LEVEL: z
    .enum(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'])
    .default('info')
    .describe('least severe level that is logged'),
  LOG_FORMAT: z
    .enum(['text', 'json'])
    .default('text')
    .describe('text is for people, json is for programs'),
  ORGANIZATION_KEY_LIMIT: count
    .default(100)
    .describe('requests per minute for each organization key'),
  USER_KEY_LIMIT: count
    .default(600)
    .describe('requests per minute for each user key and each signed-in person'),
  ANONYMOUS_LIMIT: count
    .default(600)
    .describe('GraphQL requests per minute from each address without a key or a session'),
  QUOTA_FILES: count
    .default(10_000)
    .describe(
      'files that an organization may have, unless platform support has set another limit for it',
    ),
  QUOTA_BYTES: z.coerce
    .number()
    .int()
    .min(1)
    .max(2 ** 53 - 1)
    .default(107_374_182_400)
    .describe(
      'total bytes of the files of an organization, unless platform support has set another limit',
    ),
  AUDIT_RETENTION_DAYS: z.coerce
    .number()
    .int()
    .min(90)
    .max(36_500)
    .optional()
    .describe(
      'days after which entries of the audit log are deleted, at least 90; absent: they are kept. Their hashes stay, so that the proofs of other entries hold',
    ),
  QUOTA_PASSAGES: z.coerce
    .number()
    .int()
    .min(1)
    .max(2 ** 31 - 1)
    .default(2_000_000)
    .describe(
      'passages of an organization’s files in the vault, unless platform support has set another limit',
    ),
  QUOTA_RUNS: count
    .default(32)
    .describe('concurrent runs of an organization, unless platform support has set another limit'),
  QUOTA_QUEUED_RUNS: count
    .default(1_000)
    .describe('durable runs of an organization that may wait to be executed'),
  RUN_CONTENT_HOURS: z.coerce
    .number()
    .int()
    .min(1)
    .max(24)
    .default(24)
    .describe('hours for which the content of a durable run is kept after its end'),
  QUOTA_UPLOADS: count
    .default(16)
    .describe(
      'concurrent uploads of an organization, unless platform support has set another limit',
    ),
  VAULT_ORGANIZATION_LIMIT: count
    .default(6_000)
    .describe(
      'vault searches and reads per minute for each organization; each alias of a GraphQL request counts',
    ),
  VAULT_PERSON_LIMIT: count
    .default(1_200)
    .describe(
      'vault searches and reads per minute for each person of an organization, over all keys and sessions of that person',
    ),
  ORGANIZATION_LIMIT: count
    .default(6_000)
    .describe('requests per minute of an organization, over all its keys and people'),
  REDEMPTION_LIMIT: count
    .default(5)
    .describe(
      'sponsored workspaces that one network address can create in ten minutes; the surrounding /24 or /48 network can create four times as many',
    ),
  SMTP_URL: addressWithPassword(/^smtps?$/, 'smtp://user:password@mail.example.com:587')
    .optional()
    .describe(
      'mail server, such as smtp://user:password@mail.example.com:587; absent: no email is sent, and in development the log shows it',
    ),
  MAIL_FROM: z
    .string()
    .regex(
      /^(?:[^<>@"\p{Cc}]+ <[^<>@\s]+@[^<>@\s]+>|[^<>@\s]+@[^<>@\s]+)$/u,
      'must be an address, or a name and an address like Atrium <atrium@example.com>',
    )
    .optional()
    .describe('sender of email, such as Atrium <atrium@example.com>'),
  SIGN_UP: z
    .enum(['open', 'by-link'])
    .default('open')
    .describe(
      'who can create an account: open allows everybody, by-link requires a sponsored link or an invitation',
    ),
  EMAIL_VERIFICATION: z
    .enum(['off', 'required'])
    .optional()
    .describe(
      'required: people must confirm their address by a link in an email before they can sign in; absent: required if NODE_ENV is production, otherwise off',
    ),
  SIGN_IN_PROVIDERS: signInProviders
    .optional()
    .describe(
      'other sites with which people can sign in, as JSON: {"google":{"clientId":"…","clientSecret":"…"}}; google, github, microsoft with tenantId, oidc with issuer and name',
    ),
  AUTH_SECRET: z
    .string()
    .min(32)
    .optional()
    .describe(
      'signs sessions and encrypts the secrets of authenticator apps, webhooks and receipts; absent: a generated secret in DATA_DIR',
    ),
  SESSION_IDLE_DAYS: days
    .default(7)
    .describe('days without use after which a person must sign in again'),
  SESSION_DAYS_MAX: days
    .default(30)
    .describe('days after which a person must sign in again, even if the session is in use'),
  VAULT_SECRET: z
    .string()
    .regex(/^[\x21-\x7e]{16,}$/, 'must be at least 16 printable characters without a space')
    .optional()
    .describe(
      'shared secret of API, vault and vector database; absent: a generated secret in DATA_DIR, if all three run in one process',
    ),
  VAULT_CONFIG: z
    .string()
    .optional()
    .describe(
      'configuration file of the vault and its vector database; absent: vault.yaml beside package.json',
    ),
  VAULT_URL: serviceUrl.describe('address of a separate vault; absent: the vault in this process'),
  VECTOR_DB_URL: serviceUrl.describe(
    'address of a separate vector database; absent: the one in this process, or for a separate vault the one at VECTOR_DB_PORT of the same machine',
  ),
  MODEL_BASE_URL: address
    .optional()
    .describe(
      'base address of an OpenAI-compatible model provider, without /chat/completions; absent: the built-in model answers',
    ),
  MODEL_API_KEY: z.string().optional().describe('API key of the provider at MODEL_BASE_URL'),
  MODEL_DEFAULT: z
    .string()
    .optional()
    .describe(
      'model of assistants without a model of their own; absent: the only model of the provider at MODEL_BASE_URL (if it has several, the start fails and lists them), or the built-in atrium-extractive',
    ),
  MODEL_PROVIDERS: providers
    .optional()
    .describe(
      'additional providers by name, as JSON: {"name":{"baseUrl":"https://…","apiKey":"…"}}; assistants write name/model',
    ),
  MODEL_CAPABILITIES: modelCapabilities
    .optional()
    .describe(
      'what models can do, as JSON by name: {"name":{"contextTokens":128000,"callsTools":true,"readsImages":true,"reasons":false,"structuresOutput":true}}; it completes what the providers say, and a model that is named here can be chosen even if its provider does not list it',
    ),
  MODEL_TIME_SECONDS: count.default(30).describe('maximum duration of one call to a provider'),
  MODEL_TOKEN_BUDGET: count
    .default(200_000)
    .describe('tokens after which a run must finish with the answer it has so far'),
  MODEL_PRICES: modelPrices
    .optional()
    .describe(
      'prices per million tokens by the name of the model, as JSON: {"currency":"EUR","models":{"name":{"input":"2.50","output":"10","cachedInput":"1.25"}}}; without cachedInput cached tokens cost as much as others; absent: usage has no costs',
    ),
  PUBLIC_REQUEST_PROXY: serviceUrl.describe(
    'forward proxy for requests to addresses that customers give, such as those of webhooks: it resolves names and connects, and must refuse private networks itself; absent: Atrium connects, and refuses them',
  ),
  PUBLIC_REQUEST_LOOPBACK: flag
    .default(false)
    .describe(
      'allows webhooks to this machine, also over http and on any port, for receivers in development',
    ),
  REQUEST_MEGABYTES: count
    .default(512)
    .describe(
      'megabytes of request bodies that one process holds at the same time, in memory and in temporary files; more are rejected with 503',
    ),
  REQUEST_MEGABYTES_PER_PERSON: count
    .default(128)
    .describe('megabytes of those for one person, or for one organization with organization keys'),
  METRICS_TOKEN: z
    .string()
    .min(16)
    .optional()
    .describe('bearer token for /metrics; absent: /metrics is off'),
  OTEL_EXPORTER_OTLP_ENDPOINT: serviceUrl.describe(
    'address of an OpenTelemetry collector that takes OTLP over HTTP, such as http://localhost:4318; absent: no traces and metrics are sent',
  ),
  OTEL_TRACES_SAMPLER: z
    .enum([
      'always_on',
      'always_off',
      'traceidratio',
      'parentbased_always_on',
      'parentbased_always_off',
      'parentbased_traceidratio',
    ])
    .default('parentbased_always_on')
    .describe('which traces are sent; parentbased: the sender of a request with a trace decides'),
  OTEL_TRACES_SAMPLER_ARG: z.coerce
    .number()
    .min(0)
    .max(1)
    .default(1)
    .describe('share of the traces that are sent, with a sampler that ends in traceidratio'),
  TRUSTED_PROXIES: list
    .refine(
      (items) => items.every(isNetwork),
      'must be addresses or networks like 10.0.0.0/8, separated by commas',
    )
    .default([])
    .describe(
      'addresses or networks (10.0.0.0/8), separated by commas, of proxies whose X-Forwarded-For header is trusted; absent: no proxy is trusted',
    ),
  CORS_ORIGINS: list
    .default([])
    .describe('origins, separated by commas, whose pages may call the API from a browser'),
  GRAPHIQL: flag
    .optional()
    .describe('serves GraphiQL at /graphql; absent: on, unless NODE_ENV is production'),
  INTROSPECTION: flag
    .optional()
    .describe('lets clients read the GraphQL schema; absent: on, unless NODE_ENV is production'),
  FEDERATION: flag
    .default(false)
    .describe(
      'adds `_service` and `_entities` to /graphql, so that a gateway of Apollo Federation can use it as a subgraph',
    ),
  GRAPHQL_DOCUMENTS: z
    .string()
    .optional()
    .describe(
      'manifest of trusted GraphQL documents, or a folder of manifests, read at the start; absent: only the documents of the console are trusted',
    ),
  GRAPHQL_DOCUMENT_POLICY: documentPolicies
    .prefault('allow')
    .describe(
      'whether callers may send other GraphQL documents: allow, prefer (executed, logged and counted) or require (refused); for each kind of caller as session=require,user-key=prefer,organization-key=allow,anonymous=require',
    ),
});
