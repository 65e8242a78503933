import { z } from 'zod';

const port = z.coerce.number().int().min(0).max(65535);
const count = z.coerce.number().int().min(1).max(1_000_000);
const flag = z.enum(['true', 'false']).transform((value) => value === 'true');
const list = z.string().transform((value) =>
  value
    .split(',')
    .map((item) => item.trim())
    .filter(Boolean),
);

/** Every setting, with what the README says of it. */
export const settings = z.object({
  NODE_ENV: z
    .enum(['development', 'test', 'production'])
    .default('development')
    .describe('production: no demo data, GraphiQL and introspection off unless switched on'),
  PORT: port.default(4000).describe('port of the API; 0 picks a free one'),
  HOST: z.string().default('127.0.0.1').describe('address to listen on'),
  ORIGIN: z
    .url({ protocol: /^https?$/ })
    .optional()
    .transform((value) => value?.replace(/\/+$/, ''))
    .describe('address under which people and programs reach Atrium; absent: the one it listens on'),
  DATA_DIR: z.string().default('.data').describe('directory of the embedded database and of secrets that Atrium makes for itself'),
  DATABASE_URL: z
    .url({ protocol: /^postgres(ql)?$/ })
    .optional()
    .describe('a Postgres; absent: the embedded database in DATA_DIR'),
  DATABASE_POOL: count.default(4).describe('connections to Postgres for each process'),
  REDIS_URL: z
    .url({ protocol: /^rediss?$/ })
    .optional()
    .describe('counts rate limits for several processes; absent: each process counts alone'),
  LOG_LEVEL: z.enum(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent']).default('info').describe('least severe entry that is logged'),
  LOG_FORMAT: z.enum(['text', 'json']).default('text').describe('text for people, json for programs'),
  ORGANIZATION_KEY_LIMIT: count.default(100).describe('requests a minute for each organization key'),
  USER_KEY_LIMIT: count.default(600).describe('requests a minute for each user key and each signed-in person'),
  AUTH_SECRET: z.string().min(32).optional().describe('signs session cookies; absent: one is made and kept in DATA_DIR'),
  METRICS_TOKEN: z.string().min(16).optional().describe('opens /metrics as a bearer token; absent: /metrics is closed'),
  TRUSTED_PROXIES: list
    .default([])
    .describe('addresses or networks (10.0.0.0/8), separated by commas, of the proxies in front, whose X-Forwarded-For is believed; absent: nobody’s is'),
  CORS_ORIGINS: list.default([]).describe('origins, separated by commas, whose pages may call the API from a browser'),
  GRAPHIQL: flag.optional().describe('serves GraphiQL at /graphql; absent: unless NODE_ENV is production'),
  INTROSPECTION: flag.optional().describe('lets clients read the GraphQL schema; absent: unless NODE_ENV is production'),
});

export type Env = Readonly<z.output<typeof settings>> & { readonly GRAPHIQL: boolean; readonly INTROSPECTION: boolean };

/** The settings from the environment, or one error that names every fault. An empty value counts as absent. */
export function readEnv(source: Record<string, string | undefined> = process.env): Env {
  const given = Object.fromEntries(Object.keys(settings.shape).map((name) => [name, source[name] || undefined]));
  const parsed = settings.safeParse(given);
  if (!parsed.success) {
    const faults = parsed.error.issues.map((issue) => `  ${issue.path.join('.')}: ${issue.message}`);
    throw new Error(`These settings are wrong:\n${faults.join('\n')}`);
  }
  const open = parsed.data.NODE_ENV !== 'production';
  return { ...parsed.data, GRAPHIQL: parsed.data.GRAPHIQL ?? open, INTROSPECTION: parsed.data.INTROSPECTION ?? open };
}
