import { builder } from '../../graph/builder.ts';
import type { Viewer } from '../../graph/context.ts';
import type { WatchedVault } from './vault.ts';

type System = NonNullable<Awaited<ReturnType<WatchedVault['system']>>>;

/**
 * What is of all organizations together, or of the machine's own inside, is for who works for the
 * platform.
 */
export const isSupport = (viewer: Viewer | null): boolean =>
  viewer?.kind === 'SESSION' && viewer.isPlatformSupport;

const VaultCpu = builder.objectRef<NonNullable<System['cpu']>>('VaultCpu').implement({
  fields: (t) => ({
    usagePercent: t.exposeFloat('usagePercent'),
    cores: t.exposeFloat('cores', { description: 'As many as its container may use.' }),
    loadAverage: t.exposeFloatList('loadAverage', {
      description: 'Over one, five and fifteen minutes.',
    }),
  }),
});
const VaultMemory = builder.objectRef<NonNullable<System['memory']>>('VaultMemory').implement({
  fields: (t) => ({
    totalBytes: t.exposeFloat('totalBytes'),
    usedBytes: t.exposeFloat('usedBytes'),
    usagePercent: t.exposeFloat('usagePercent'),
  }),
});
const VaultDisk = builder.objectRef<NonNullable<System['storage']>[number]>('VaultDisk').implement({
  description: 'A disk that holds data.',
  fields: (t) => ({
    path: t.string({
      nullable: true,
      description: 'For platform support.',
      resolve: ({ path }, _, { viewer }) => (isSupport(viewer) ? path : null),
    }),
    totalBytes: t.exposeFloat('totalBytes'),
    freeBytes: t.exposeFloat('freeBytes'),
    usagePercent: t.exposeFloat('usagePercent'),
  }),
});
const VaultDatabase = builder
  .objectRef<NonNullable<System['database']>>('VaultDatabase')
  .implement({
    description: 'The vector database behind the vault.',
    fields: (t) => ({
      healthy: t.boolean({ resolve: ({ status }) => status === 'healthy' }),
      latencyMs: t.exposeFloat('latencyMs', { nullable: true }),
      documentCount: t.int({
        nullable: true,
        description: 'Of all organizations; for platform support.',
        resolve: ({ documentCount }, _, { viewer }) => (isSupport(viewer) ? documentCount : null),
      }),
    }),
  });
const VaultProcess = builder.objectRef<NonNullable<System['process']>>('VaultProcess').implement({
  fields: (t) => ({
    rssBytes: t.exposeFloat('rssBytes'),
    heapUsedBytes: t.exposeFloat('heapUsedBytes'),
    eventLoopDelayMs: t.exposeFloat('eventLoopDelayMs'),
  }),
});

export const VaultSystem = builder.objectRef<System>('VaultSystem').implement({
  description:
    'The last samples of the machine that the vault runs on; a part that is not sampled is null.',
  fields: (t) => ({
    at: t.expose('timestamp', { type: 'DateTime' }),
    cpu: t.expose('cpu', { type: VaultCpu, nullable: true }),
    memory: t.expose('memory', { type: VaultMemory, nullable: true }),
    disks: t.expose('storage', { type: [VaultDisk], nullable: true }),
    database: t.expose('database', { type: VaultDatabase, nullable: true }),
    process: t.expose('process', { type: VaultProcess, nullable: true }),
    reembedding: t.float({
      nullable: true,
      description:
        'How much of what was to be moved to another embedding is moved, from 0 to 1; null where nothing was.',
      resolve: ({ reembedding: { done, total } }) => (total > 0 ? done / total : null),
    }),
  }),
});
