import { builder } from '../../graph/builder.ts';
import { integerScalar } from '../../graph/scalars.ts';
import { unlessAway, type WatchedVault } from './vault.ts';
import { isSupport, VaultSystem } from './vault-system.graphql.ts';

declare module '../../graph/builder.ts' {
  interface Scalars {
    MinuteCount: { Input: number; Output: number };
  }
}

type Health = Awaited<ReturnType<WatchedVault['health']>>;
type Point = NonNullable<Awaited<ReturnType<WatchedVault['history']>>>['points'][number];
type RateLimit = NonNullable<Awaited<ReturnType<WatchedVault['rateLimit']>>>;
/** `client` is null where there is nothing to ask further. */
type Watched = {
  state: (typeof states)[number];
  health: Health | undefined;
  client: WatchedVault | null;
  rateLimit: RateLimit | undefined;
};

const states = ['HEALTHY', 'UNHEALTHY', 'LOCKED', 'AWAY', 'NONE'] as const;

builder.addScalarType(
  'MinuteCount',
  integerScalar('MinuteCount', {
    min: 1,
    max: 1440,
    description: 'How many minutes to look back: 1 to 1440.',
  }),
);

const VaultState = builder.enumType('VaultState', {
  description:
    'UNHEALTHY: it answers, but its database does not. LOCKED: it answers, but not to the secret of this Atrium. AWAY: no vault answers at its address. NONE: this Atrium was given none.',
  values: states,
});

const VaultCheck = builder
  .objectRef<{ name: string } & Health['checks'][string]>('VaultCheck')
  .implement({
    description: 'A part that the vault needs, as it saw it last.',
    fields: (t) => ({
      name: t.exposeString('name'),
      healthy: t.boolean({ resolve: ({ status }) => status === 'healthy' }),
      latencyMs: t.exposeFloat('latencyMs', { nullable: true }),
    }),
  });

const VaultFigures = builder.objectRef<Point>('VaultFigures').implement({
  description: 'Averages over some time from `at` on; null what was not sampled in it.',
  fields: (t) => ({
    at: t.expose('at', { type: 'DateTime' }),
    cpuPercent: t.exposeFloat('cpuPercent', { nullable: true }),
    memoryPercent: t.exposeFloat('memoryPercent', { nullable: true }),
    storagePercent: t.exposeFloat('storagePercent', {
      nullable: true,
      description: 'Of the fullest disk.',
    }),
    eventLoopDelayMs: t.exposeFloat('eventLoopDelayMs', { nullable: true }),
    rssBytes: t.exposeFloat('rssBytes', { nullable: true }),
    databaseLatencyMs: t.exposeFloat('databaseLatencyMs', { nullable: true }),
    documentCount: t.float({
      nullable: true,
      description: 'Of all organizations; for platform support.',
      resolve: ({ documentCount }, _, { viewer }) => (isSupport(viewer) ? documentCount : null),
    }),
  }),
});

const VaultRateLimit = builder.objectRef<RateLimit>('VaultRateLimit').implement({
  description: 'Where all callers of the vault together stand.',
  fields: (t) => ({
    limit: t.exposeInt('limit', { description: 'Calls in a window.' }),
    remaining: t.exposeInt('remaining'),
    windowSeconds: t.exposeInt('windowSeconds'),
    resetsAt: t.field({ type: 'DateTime', resolve: ({ reset }) => new Date(reset * 1000) }),
    limited: t.exposeBoolean('limited'),
  }),
});

const Vault = builder.objectRef<Watched>('Vault').implement({
  description: 'Where files are kept as passages and searched.',
  fields: (t) => ({
    state: t.expose('state', { type: VaultState }),
    version: t.string({ nullable: true, resolve: ({ health }) => health?.version ?? null }),
    uptimeSeconds: t.float({
      nullable: true,
      resolve: ({ health }) => health?.uptimeSeconds ?? null,
    }),
    checks: t.field({
      type: [VaultCheck],
      resolve: ({ health }) =>
        Object.entries(health?.checks ?? {}).map(([name, check]) => ({ name, ...check })),
    }),
    system: t.field({
      type: VaultSystem,
      nullable: true,
      description: 'Null while it is away, and where its monitoring is off.',
      resolve: async ({ client }, _, { signal }) =>
        (client && (await unlessAway(client.system({ signal })))) ?? null,
    }),
    figures: t.field({
      type: [VaultFigures],
      description:
        'Oldest first, at most 240; none while it is away, and where its monitoring is off.',
      args: { minutes: t.arg({ type: 'MinuteCount', defaultValue: 60 }) },
      complexity: { multiplier: 240 },
      resolve: async ({ client }, { minutes }, { signal }) =>
        (client && (await unlessAway(client.history({ minutes, signal }))))?.points ?? [],
    }),
    rateLimit: t.field({
      type: VaultRateLimit,
      nullable: true,
      resolve: ({ rateLimit }) => rateLimit ?? null,
    }),
  }),
});

builder.queryField('vault', (t) =>
  t.field({
    type: Vault,
    description: 'How the vault is. One that is away is an answer, not an error.',
    authScopes: { administrator: true },
    resolve: (_, __, { vault, signal }) => watch(vault, signal),
  }),
);

async function watch(vault: WatchedVault | null, signal: AbortSignal): Promise<Watched> {
  const silent = { health: undefined, client: null, rateLimit: undefined };
  if (vault === null) return { state: 'NONE', ...silent };
  const health = await unlessAway(vault.health({ signal }));
  if (!health) return { state: 'AWAY', ...silent };
  // Its health is for everybody; this is the first thing that takes the secret.
  const admitted = await unlessAway(
    vault.rateLimit({ signal }).then((rateLimit) => ({ rateLimit })),
  );
  if (health.status === 'unhealthy')
    return { state: 'UNHEALTHY', health, client: vault, rateLimit: admitted?.rateLimit };
  return admitted
    ? { state: 'HEALTHY', health, client: vault, ...admitted }
    : { state: 'LOCKED', ...silent, health };
}
