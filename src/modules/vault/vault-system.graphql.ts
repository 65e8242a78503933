import type { Viewer } from '../../access/context.ts';
import { builder } from '../../graph/schema/builder.ts';
import type { MonitoredVault } from './vault-access.ts';

type SystemSample = NonNullable<Awaited<ReturnType<MonitoredVault['system']>>>;

/**
 * Only platform support sees figures that concern all organizations together or the inside of the
 * machine.
 */
export const isSupport = (viewer: Viewer | null): boolean =>
  viewer?.kind === 'SESSION' && viewer.isPlatformSupport;

const VaultCpu = builder.objectRef<NonNullable<SystemSample['cpu']>>('VaultCpu').implement({
  fields: (t) => ({
    usagePercent: t.exposeFloat('usagePercent'),
    cores: t.exposeFloat('cores', { description: 'How many cores the container may use.' }),
    loadAverage: t.exposeFloatList('loadAverage', {
      description: 'The averages over 1, 5 and 15 minutes.',
    }),
  }),
});
const VaultMemory = builder
  .objectRef<NonNullable<SystemSample['memory']>>('VaultMemory')
  .implement({
    fields: (t) => ({
      totalBytes: t.exposeFloat('totalBytes'),
      usedBytes: t.exposeFloat('usedBytes'),
      usagePercent: t.exposeFloat('usagePercent'),
    }),
  });
const VaultDisk = builder
  .objectRef<NonNullable<SystemSample['storage']>[number]>('VaultDisk')
  .implement({
    description: 'A disk that holds data.',
    fields: (t) => ({
      path: t.string({
        nullable: true,
        description: 'Visible to platform support only.',
        resolve: ({ path }, _, { viewer }) => (isSupport(viewer) ? path : null),
      }),
      totalBytes: t.exposeFloat('totalBytes'),
      freeBytes: t.exposeFloat('freeBytes'),
      usagePercent: t.exposeFloat('usagePercent'),
    }),
  });
const VaultDatabase = builder
  .objectRef<NonNullable<SystemSample['database']>>('VaultDatabase')
  .implement({
    description: 'The vector database behind the vault.',
    fields: (t) => ({
      healthy: t.boolean({ resolve: ({ status }) => status === 'healthy' }),
      latencyMs: t.exposeFloat('latencyMs', { nullable: true }),
      documentCount: t.int({
        nullable: true,
        description:
          'The number of documents of all organizations. Visible to platform support only.',
        resolve: ({ documentCount }, _, { viewer }) => (isSupport(viewer) ? documentCount : null),
      }),
    }),
  });
const VaultProcess = builder
  .objectRef<NonNullable<SystemSample['process']>>('VaultProcess')
  .implement({
    fields: (t) => ({
      rssBytes: t.exposeFloat('rssBytes'),
      heapUsedBytes: t.exposeFloat('heapUsedBytes'),
      eventLoopDelayMs: t.exposeFloat('eventLoopDelayMs'),
    }),
  });

export const VaultSystem = builder.objectRef<SystemSample>('VaultSystem').implement({
  description:
    'The latest samples of the machine that the vault runs on. A value that is not sampled is null.',
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
        'The progress of a move to another embedding, from 0 to 1; null if there is no such move.',
      resolve: ({ reembedding: { done, total } }) => (total > 0 ? done / total : null),
    }),
  }),
});
