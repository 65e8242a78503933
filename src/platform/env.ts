import { isIP } from 'node:net';
import { z } from 'zod';

const port = z.coerce.number().int().min(0).max(65535);
const count = z.coerce.number().int().min(1).max(1_000_000);
const days = z.coerce.number().int().min(1).max(365);
const flag = z.enum(['true', 'false']).transform((value) => value === 'true');
const elsewhere = z
  .url({ protocol: /^https?$/ })
  .optional()
  .transform((value) => value?.replace(/\/+$/, ''));
const list = z.string().transform((value) =>
  value
    .split(',')
    .map((item) => item.trim())
    .filter(Boolean),
);

const address = z.url({ protocol: /^https?$/ });
const json = z.string().transform((text, context) => {
  try {
    return JSON.parse(text);
  } catch {
    context.addIssue('must be JSON');
    return z.NEVER;
  }
});
const providers = json.pipe(
  z.record(
    z.string().regex(/^[a-z0-9][a-z0-9-]*$/, 'a name has small letters, digits and hyphens'),
    z.object({ baseUrl: address, apiKey: z.string().optional() }),
  ),
);

function isNetwork(text: string): boolean {
  const [address = '', bits, ...more] = text.split('/');
  const family = isIP(address);
  return (
    family !== 0 &&
    more.length === 0 &&
    (bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (family === 6 ? 128 : 32)))
  );
}

const client = z.strictObject({ clientId: z.string().min(1), clientSecret: z.string().min(1) });
const signInProviders = json.pipe(
  z.strictObject({
    google: client.optional(),
    github: client.optional(),
    // The addresses of a directory that anybody can open for themselves prove nothing.
    microsoft: client
      .extend({
        tenantId: z
          .string()
          .regex(
            /^(?!(?:common|organizations|consumers)$)[\w.-]+$/,
            'must be the id of one directory',
          ),
      })
      .optional(),
    oidc: client
      .extend({
        issuer: address,
        name: z.string().min(1).max(50),
        trustEmail: z.boolean().default(false),
      })
      .optional(),
  }),
);

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
  ORIGIN: z
    .url({ protocol: /^https?$/ })
    .optional()
    .transform((value) => value?.replace(/\/+$/, ''))
    .describe(
      'address under which people and programs reach Atrium; absent: the one it listens on',
    ),
  DATA_DIR: z
    .string()
    .default('.data')
    .describe('directory of the embedded database and of secrets that Atrium makes for itself'),
  DATABASE_URL: z
    .url({ protocol: /^postgres(ql)?$/ })
    .optional()
    .describe('a Postgres; absent: the embedded database in DATA_DIR'),
  DATABASE_POOL: count.default(4).describe('connections to Postgres for each process'),
  WORKERS: z.coerce
    .number()
    .int()
    .min(1)
    .max(256)
    .default(1)
    .describe(
      'processes that serve the API behind its one port, such as one for each core; more than one needs DATABASE_URL',
    ),
  REDIS_URL: z
    .url({ protocol: /^rediss?$/ })
    .optional()
    .describe(
      'counts rate limits for several processes; absent: each process counts alone, with its workers',
    ),
  S3_BUCKET: z
    .string()
    .min(1)
    .optional()
    .describe('bucket that keeps the files; absent: the directory files in DATA_DIR'),
  S3_ENDPOINT: elsewhere.describe(
    'address of a service that speaks the protocol of S3; absent: S3 itself',
  ),
  S3_REGION: z.string().default('us-east-1').describe('region of the bucket'),
  S3_ACCESS_KEY_ID: z
    .string()
    .optional()
    .describe(
      'who asks for the bucket; absent: as the AWS SDK finds it, such as from the role of the machine',
    ),
  S3_SECRET_ACCESS_KEY: z.string().optional().describe('the secret that belongs to it'),
  LOG_LEVEL: z
    .enum(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'])
    .default('info')
    .describe('least severe entry that is logged'),
  LOG_FORMAT: z
    .enum(['text', 'json'])
    .default('text')
    .describe('text for people, json for programs'),
  ORGANIZATION_KEY_LIMIT: count
    .default(100)
    .describe('requests a minute for each organization key'),
  USER_KEY_LIMIT: count
    .default(600)
    .describe('requests a minute for each user key and each signed-in person'),
  ANONYMOUS_LIMIT: count
    .default(600)
    .describe('requests a minute to GraphQL from each address without a key or a session'),
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
    .describe('bytes that the files of an organization may have together, likewise'),
  QUOTA_PASSAGES: z.coerce
    .number()
    .int()
    .min(1)
    .max(2 ** 31 - 1)
    .default(2_000_000)
    .describe('passages that the files of an organization may have in the vault, likewise'),
  QUOTA_RUNS: count.default(32).describe('runs of an organization at the same time, likewise'),
  QUOTA_UPLOADS: count
    .default(16)
    .describe('uploads of an organization at the same time, likewise'),
  VAULT_ORGANIZATION_LIMIT: count
    .default(6_000)
    .describe(
      'searches and readings in the vault a minute for each organization; each alias of a GraphQL request counts',
    ),
  VAULT_PERSON_LIMIT: count
    .default(1_200)
    .describe(
      'the same for each person of an organization, over all of the person’s keys and sessions',
    ),
  ORGANIZATION_LIMIT: count
    .default(6_000)
    .describe('requests a minute of one organization, over all its keys and people'),
  REDEMPTION_LIMIT: count
    .default(5)
    .describe(
      'sponsored workspaces that people behind one network address can create in ten minutes, four times as many from the /24 or /48 around it',
    ),
  SMTP_URL: z
    .url({ protocol: /^smtps?$/ })
    .optional()
    .describe(
      'server that takes mail, such as smtp://user:password@mail.example.com:587; absent: no mail, and in development the log shows it',
    ),
  MAIL_FROM: z
    .string()
    .regex(
      /^(?:[^<>@"\p{Cc}]+ <[^<>@\s]+@[^<>@\s]+>|[^<>@\s]+@[^<>@\s]+)$/u,
      'must be an address, or a name and an address like Atrium <atrium@example.com>',
    )
    .optional()
    .describe('whom mail comes from, such as Atrium <atrium@example.com>'),
  SIGN_UP: z
    .enum(['open', 'by-link'])
    .default('open')
    .describe(
      'who may make an account: open for everybody, by-link for whoever comes by a sponsored link or an invitation',
    ),
  EMAIL_VERIFICATION: z
    .enum(['off', 'required'])
    .optional()
    .describe(
      'required: nobody signs in with an address before a link in a mail has confirmed it; absent: required if NODE_ENV is production, otherwise off',
    ),
  SIGN_IN_PROVIDERS: signInProviders
    .optional()
    .describe(
      'other sites to sign in with, as JSON: {"google":{"clientId":"…","clientSecret":"…"}}; google, github, microsoft with tenantId, oidc with issuer and name',
    ),
  AUTH_SECRET: z
    .string()
    .min(32)
    .optional()
    .describe('signs session cookies; absent: one is made and kept in DATA_DIR'),
  SESSION_IDLE_DAYS: days
    .default(7)
    .describe('days without use after which a person must sign in again'),
  SESSION_DAYS_MAX: days
    .default(30)
    .describe('days after which a person must sign in again, in use or not'),
  VAULT_SECRET: z
    .string()
    .regex(/^[\x21-\x7e]{16,}$/, 'must be at least 16 printable characters without a space')
    .optional()
    .describe(
      'what API, vault and vector database show each other; absent: one is made and kept in DATA_DIR, where all three run in one process',
    ),
  VAULT_CONFIG: z
    .string()
    .optional()
    .describe(
      'file with the settings of the vault and its vector database; absent: vault.yaml beside package.json',
    ),
  VAULT_URL: elsewhere.describe('a vault that runs elsewhere; absent: the one in this process'),
  VECTOR_DB_URL: elsewhere.describe(
    'a vector database that runs elsewhere; absent: the one in this process, or for a vault alone the one at VECTOR_DB_PORT of this machine',
  ),
  MODEL_BASE_URL: address
    .optional()
    .describe(
      'an OpenAI-compatible model provider, up to before /chat/completions; absent: the built-in model answers',
    ),
  MODEL_API_KEY: z.string().optional().describe('opens the provider at MODEL_BASE_URL'),
  MODEL_DEFAULT: z
    .string()
    .optional()
    .describe(
      'model of assistants that name none; absent: the only model of the provider at MODEL_BASE_URL (with several the start stops and names them), or the built-in atrium-extractive',
    ),
  MODEL_PROVIDERS: providers
    .optional()
    .describe(
      'more providers by name, as JSON: {"name":{"baseUrl":"https://…","apiKey":"…"}}; assistants write name/model',
    ),
  MODEL_TIME_SECONDS: count.default(30).describe('how long one call of a provider may take'),
  MODEL_TOKEN_BUDGET: count
    .default(200_000)
    .describe('tokens after which a run must end with the answer that it has'),
  REQUEST_MEGABYTES: count
    .default(512)
    .describe(
      'megabytes of requests that one process keeps at once, in memory and in temporary files; beyond it 503',
    ),
  REQUEST_MEGABYTES_PER_PERSON: count
    .default(128)
    .describe('how much of that one person may occupy, or an organization with its own keys'),
  METRICS_TOKEN: z
    .string()
    .min(16)
    .optional()
    .describe('opens /metrics as a bearer token; absent: /metrics is closed'),
  TRUSTED_PROXIES: list
    .refine(
      (items) => items.every(isNetwork),
      'Invalid input: expected addresses or networks like 10.0.0.0/8, separated by commas',
    )
    .default([])
    .describe(
      'addresses or networks (10.0.0.0/8), separated by commas, of the proxies in front, whose X-Forwarded-For is believed; absent: nobody’s is',
    ),
  CORS_ORIGINS: list
    .default([])
    .describe('origins, separated by commas, whose pages may call the API from a browser'),
  GRAPHIQL: flag
    .optional()
    .describe('serves GraphiQL at /graphql; absent: unless NODE_ENV is production'),
  INTROSPECTION: flag
    .optional()
    .describe('lets clients read the GraphQL schema; absent: unless NODE_ENV is production'),
});

export type Env = Readonly<Omit<z.output<typeof settings>, 'EMAIL_VERIFICATION'>> & {
  readonly GRAPHIQL: boolean;
  readonly INTROSPECTION: boolean;
  readonly EMAIL_VERIFICATION: 'off' | 'required';
};

/** Everything in the environment, for values that the vault's file takes from it by name. */
export const environment: Readonly<Record<string, string | undefined>> = process.env;

/** For a library that can be set by the environment alone: values that hold where it names none. */
export function presetEnvironment(values: Readonly<Record<string, string>>): void {
  for (const [name, value] of Object.entries(values)) process.env[name] ??= value;
}

/** For a library that goes by the environment where our settings mean something else. */
export function overrideEnvironment(values: Readonly<Record<string, string>>): void {
  Object.assign(process.env, values);
}

/**
 * The settings from the environment, or one error that names every fault. An empty value counts as
 * absent.
 */
export function readEnv(source: Record<string, string | undefined> = environment): Env {
  const given = Object.fromEntries(
    Object.keys(settings.shape).map((name) => [name, source[name] || undefined]),
  );
  const parsed = settings.safeParse(given);
  if (!parsed.success)
    throw new Error(
      faultsIn(parsed.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`)),
    );
  const contradictions = contradictionsIn(parsed.data);
  if (contradictions.length > 0) throw new Error(faultsIn(contradictions));
  const open = parsed.data.NODE_ENV !== 'production';
  const {
    GRAPHIQL = open,
    INTROSPECTION = open,
    EMAIL_VERIFICATION = open ? 'off' : 'required',
  } = parsed.data;
  return { ...parsed.data, GRAPHIQL, INTROSPECTION, EMAIL_VERIFICATION };
}

const faultsIn = (faults: string[]) =>
  `These settings are wrong:\n${faults.map((fault) => `  ${fault}`).join('\n')}`;

/** Settings that are right one by one, and do not go together. */
function contradictionsIn(given: z.output<typeof settings>): string[] {
  const {
    NODE_ENV,
    DATABASE_URL,
    DATA_DIR,
    WORKERS,
    ORIGIN,
    SMTP_URL,
    MAIL_FROM,
    EMAIL_VERIFICATION,
    SIGN_IN_PROVIDERS,
  } = given;
  const isProvable =
    SMTP_URL !== undefined ||
    Object.keys(SIGN_IN_PROVIDERS ?? {}).length > 0 ||
    NODE_ENV === 'development';
  return [
    ...(WORKERS > 1 && DATABASE_URL === undefined
      ? ['WORKERS: more than 1 needs DATABASE_URL, for the embedded database serves one process']
      : []),
    ...(WORKERS > 1 && DATA_DIR === ':memory:'
      ? ['WORKERS: more than 1 needs a directory as DATA_DIR, which they share']
      : []),
    ...(SMTP_URL !== undefined && MAIL_FROM === undefined
      ? ['MAIL_FROM: must be set where SMTP_URL is']
      : []),
    ...(EMAIL_VERIFICATION === 'required' && !isProvable
      ? ['EMAIL_VERIFICATION: required needs SMTP_URL or SIGN_IN_PROVIDERS, which prove addresses']
      : []),
    ...(SIGN_IN_PROVIDERS !== undefined && ORIGIN === undefined
      ? ['SIGN_IN_PROVIDERS: needs ORIGIN, where the other sites send people back to']
      : []),
  ];
}
