import { builder } from '../../graph/schema/builder.ts';
import { integer } from '../../graph/schema/input-rules.ts';
import { type MonitoredVault, undefinedIfUnavailable } from './vault-access.ts';
import { forSupport, VaultSystem } from './vault-system.graphql.ts';

type HealthReport = Awaited<ReturnType<MonitoredVault['health']>>;
type HistoryPoint = NonNullable<Awaited<ReturnType<MonitoredVault['history']>>>['points'][number];
type RateLimit = NonNullable<Awaited<ReturnType<MonitoredVault['rateLimit']>>>;
/** `client` is null if the vault cannot be asked for more. */
type VaultStatus = {
  state: (typeof states)[number];
  health: HealthReport | undefined;
  client: MonitoredVault | null;
  rateLimit: RateLimit | undefined;
};

const states = ['HEALTHY', 'UNHEALTHY', 'LOCKED', 'AWAY', 'NONE'] as const;

const VaultState = builder.enumType('VaultState', {
  description:
    'UNHEALTHY: the vault answers, but its database does not. LOCKED: the vault refuses the secret of this Atrium. AWAY: no vault answers at the configured address. NONE: no vault is configured.',
  values: {
    HEALTHY: { description: 'The vault works.' },
    UNHEALTHY: { description: 'The vault answers, but its database does not.' },
    LOCKED: { description: 'The vault refuses the secret of this Atrium.' },
    AWAY: { description: 'No vault answers at the configured address.' },
    NONE: { description: 'No vault is configured.' },
  } satisfies Record<(typeof states)[number], object>,
});

const VaultCheck = builder
  .objectRef<{ name: string } & HealthReport['checks'][string]>('VaultCheck')
  .implement({
    description: 'The result of the latest check of something that the vault needs.',
    fields: (t) => ({
      name: t.exposeString('name', { description: 'What was checked, such as `vectorDb`.' }),
      healthy: t.boolean({
        description: 'Whether it works.',
        resolve: ({ status }) => status === 'healthy',
      }),
      latencyMs: t.exposeFloat('latencyMs', {
        nullable: true,
        description: 'How long the check took, in milliseconds; null if it did not finish.',
      }),
    }),
  });

const VaultFigures = builder.objectRef<HistoryPoint>('VaultFigures').implement({
  description: 'Averages over a span of time from `at` on. A value that was not sampled is null.',
  fields: (t) => ({
    at: t.expose('at', { type: 'DateTime', description: 'The beginning of the span of time.' }),
    cpuPercent: t.float({
      nullable: true,
      description: 'The usage of the processors, from 0 to 100. Visible to platform support only.',
      resolve: (point, _, { viewer }) => forSupport(point.cpuPercent, viewer),
    }),
    memoryPercent: t.float({
      nullable: true,
      description: 'The usage of the memory, from 0 to 100. Visible to platform support only.',
      resolve: (point, _, { viewer }) => forSupport(point.memoryPercent, viewer),
    }),
    storagePercent: t.float({
      nullable: true,
      description: 'The usage of the fullest disk. Visible to platform support only.',
      resolve: (point, _, { viewer }) => forSupport(point.storagePercent, viewer),
    }),
    eventLoopDelayMs: t.float({
      nullable: true,
      description:
        'How long the process let a request wait, in milliseconds. Visible to platform support only.',
      resolve: (point, _, { viewer }) => forSupport(point.eventLoopDelayMs, viewer),
    }),
    rssBytes: t.float({
      nullable: true,
      description:
        'The memory of the process of the vault, in bytes. Visible to platform support only.',
      resolve: (point, _, { viewer }) => forSupport(point.rssBytes, viewer),
    }),
    databaseLatencyMs: t.exposeFloat('databaseLatencyMs', {
      nullable: true,
      description: 'How long the vector database took to answer a check, in milliseconds.',
    }),
    documentCount: t.float({
      nullable: true,
      description:
        'The number of documents of all organizations. Visible to platform support only.',
      resolve: ({ documentCount }, _, { viewer }) => forSupport(documentCount, viewer),
    }),
  }),
});

const VaultRateLimit = builder.objectRef<RateLimit>('VaultRateLimit').implement({
  description: 'The rate limit that all callers of the vault share.',
  fields: (t) => ({
    limit: t.exposeInt('limit', { description: 'How many calls are allowed in a window.' }),
    remaining: t.exposeInt('remaining', {
      description: 'How many calls are left in the current window.',
    }),
    windowSeconds: t.exposeInt('windowSeconds', {
      description: 'The length of a window, in seconds.',
    }),
    resetsAt: t.field({
      type: 'DateTime',
      description: 'When the current window ends.',
      resolve: ({ reset }) => new Date(reset * 1000),
    }),
    limited: t.exposeBoolean('limited', {
      description: 'Whether calls are rejected now, until the window ends.',
    }),
  }),
});

const Vault = builder.objectRef<VaultStatus>('Vault').implement({
  description: 'The service that stores files as passages and searches them.',
  fields: (t) => ({
    state: t.expose('state', { type: VaultState, description: 'Whether the vault works.' }),
    version: t.string({
      nullable: true,
      description:
        'The version of its program; null while the vault cannot be reached. Visible to platform support only.',
      resolve: ({ health }, _, { viewer }) => forSupport(health?.version, viewer),
    }),
    uptimeSeconds: t.float({
      nullable: true,
      description:
        'How long its process has run, in seconds; null while the vault cannot be reached. Visible to platform support only.',
      resolve: ({ health }, _, { viewer }) => forSupport(health?.uptimeSeconds, viewer),
    }),
    checks: t.field({
      type: [VaultCheck],
      description:
        'What the vault needs to work, each with the result of its latest check. Empty while the vault cannot be reached.',
      resolve: ({ health }) =>
        Object.entries(health?.checks ?? {}).map(([name, check]) => ({ name, ...check })),
    }),
    system: t.field({
      type: VaultSystem,
      nullable: true,
      description:
        'The latest samples of the machine; null while the vault cannot be reached, and if its monitoring is off.',
      resolve: async ({ client }, _, { signal }) =>
        (client && (await undefinedIfUnavailable(client.system({ signal })))) ?? null,
    }),
    figures: t.field({
      type: [VaultFigures],
      description:
        'At most 240 entries, oldest first. Empty while the vault cannot be reached, and if its monitoring is off.',
      args: {
        minutes: t.arg({
          type: 'Int',
          rule: integer({ min: 1, max: 1440 }),
          defaultValue: 60,
          description: 'How many minutes to look back, 1 to 1,440.',
        }),
      },
      cost: { listSize: { assumedSize: 240 } },
      resolve: async ({ client }, { minutes }, { signal }) =>
        (client && (await undefinedIfUnavailable(client.history({ minutes, signal }))))?.points ??
        [],
    }),
    rateLimit: t.field({
      type: VaultRateLimit,
      nullable: true,
      description:
        'How many calls the vault accepts; null while it cannot be reached or refuses the secret.',
      resolve: ({ rateLimit }) => rateLimit ?? null,
    }),
  }),
});

builder.queryField('vault', (t) =>
  t.field({
    type: Vault,
    description:
      'The state of the vault. A vault that cannot be reached is reported as a state, not as an error.',
    authScopes: { administrator: true },
    resolve: (_, __, { vault, signal }) => readStatus(vault, signal),
  }),
);

async function readStatus(vault: MonitoredVault | null, signal: AbortSignal): Promise<VaultStatus> {
  const unavailable = { health: undefined, client: null, rateLimit: undefined };
  if (vault === null) return { state: 'NONE', ...unavailable };
  const health = await undefinedIfUnavailable(vault.health({ signal }));
  if (!health) return { state: 'AWAY', ...unavailable };
  // Anyone may read the health; this is the first call that requires the secret.
  const authorized = await undefinedIfUnavailable(
    vault.rateLimit({ signal }).then((rateLimit) => ({ rateLimit })),
  );
  if (health.status === 'unhealthy')
    return { state: 'UNHEALTHY', health, client: vault, rateLimit: authorized?.rateLimit };
  return authorized
    ? { state: 'HEALTHY', health, client: vault, ...authorized }
    : { state: 'LOCKED', ...unavailable, health };
}
