import type { Viewer } from '../../access/context.ts';
import { builder } from '../../graph/schema/builder.ts';
import type { MonitoredVault } from './vault-access.ts';

type SystemSample = NonNullable<Awaited<ReturnType<MonitoredVault['system']>>>;

/**
 * Only platform support sees figures that concern all organizations together or the inside of the
 * machine.
 */
const isSupport = (viewer: Viewer | null): boolean =>
  viewer?.kind === 'SESSION' && viewer.isPlatformSupport;

/** The value for platform support, and null for everybody else. */
export const forSupport = <Value>(value: Value | undefined, viewer: Viewer | null): Value | null =>
  isSupport(viewer) ? (value ?? null) : null;

const VaultCpu = builder.objectRef<NonNullable<SystemSample['cpu']>>('VaultCpu').implement({
  description: 'The processors of the machine or container that the vault runs in.',
  fields: (t) => ({
    usagePercent: t.exposeFloat('usagePercent', {
      description: 'How much of the processors is used, from 0 to 100.',
    }),
    cores: t.exposeFloat('cores', { description: 'How many cores the container may use.' }),
    loadAverage: t.exposeFloatList('loadAverage', {
      description: 'The averages over 1, 5 and 15 minutes.',
    }),
  }),
});
const VaultMemory = builder
  .objectRef<NonNullable<SystemSample['memory']>>('VaultMemory')
  .implement({
    description: 'The memory of the machine or container that the vault runs in.',
    fields: (t) => ({
      totalBytes: t.exposeFloat('totalBytes', {
        description: 'The limit of the container, or else the memory of the machine, in bytes.',
      }),
      usedBytes: t.exposeFloat('usedBytes', { description: 'How much of it is used, in bytes.' }),
      usagePercent: t.exposeFloat('usagePercent', {
        description: 'How much of it is used, from 0 to 100.',
      }),
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
        resolve: ({ path }, _, { viewer }) => forSupport(path, viewer),
      }),
      totalBytes: t.exposeFloat('totalBytes', { description: 'The size of the disk, in bytes.' }),
      freeBytes: t.exposeFloat('freeBytes', {
        description: 'How much of the disk is free, in bytes.',
      }),
      usagePercent: t.exposeFloat('usagePercent', {
        description: 'How much of the disk is used, from 0 to 100.',
      }),
    }),
  });
const VaultDatabase = builder
  .objectRef<NonNullable<SystemSample['database']>>('VaultDatabase')
  .implement({
    description: 'The vector database behind the vault.',
    fields: (t) => ({
      healthy: t.boolean({
        description: 'Whether the database answered the latest check.',
        resolve: ({ status }) => status === 'healthy',
      }),
      latencyMs: t.exposeFloat('latencyMs', {
        nullable: true,
        description: 'How long its answer took, in milliseconds; null if it did not answer.',
      }),
      documentCount: t.int({
        nullable: true,
        description:
          'The number of documents of all organizations. Visible to platform support only.',
        resolve: ({ documentCount }, _, { viewer }) => forSupport(documentCount, viewer),
      }),
    }),
  });
const VaultProcess = builder
  .objectRef<NonNullable<SystemSample['process']>>('VaultProcess')
  .implement({
    description: 'The process in which the vault runs.',
    fields: (t) => ({
      rssBytes: t.exposeFloat('rssBytes', { description: 'The memory of the process, in bytes.' }),
      heapUsedBytes: t.exposeFloat('heapUsedBytes', {
        description: 'The memory of its JavaScript objects, in bytes.',
      }),
      eventLoopDelayMs: t.exposeFloat('eventLoopDelayMs', {
        description: 'How long the process lets a request wait on average, in milliseconds.',
      }),
    }),
  });

export const VaultSystem = builder.objectRef<SystemSample>('VaultSystem').implement({
  description:
    'The latest samples of the machine that the vault runs on. A value that is not sampled is null.',
  fields: (t) => ({
    at: t.expose('timestamp', { type: 'DateTime', description: 'When the samples were taken.' }),
    cpu: t.field({
      type: VaultCpu,
      nullable: true,
      description:
        'The processors; null if they are not sampled. Visible to platform support only.',
      resolve: (sample, _, { viewer }) => forSupport(sample.cpu, viewer),
    }),
    memory: t.field({
      type: VaultMemory,
      nullable: true,
      description: 'The memory; null if it is not sampled. Visible to platform support only.',
      resolve: (sample, _, { viewer }) => forSupport(sample.memory, viewer),
    }),
    disks: t.field({
      type: [VaultDisk],
      nullable: true,
      description:
        'The disks that hold data; null if they are not sampled. Visible to platform support only.',
      resolve: (sample, _, { viewer }) => forSupport(sample.storage, viewer),
    }),
    database: t.expose('database', {
      type: VaultDatabase,
      nullable: true,
      description: 'The vector database; null if it is not sampled.',
    }),
    process: t.field({
      type: VaultProcess,
      nullable: true,
      description:
        'The process of the vault; null if it is not sampled. Visible to platform support only.',
      resolve: (sample, _, { viewer }) => forSupport(sample.process, viewer),
    }),
    reembedding: t.float({
      nullable: true,
      description:
        'The progress of a move to another embedding, from 0 to 1; null if there is no such move.',
      resolve: ({ reembedding: { done, total } }) => (total > 0 ? done / total : null),
    }),
  }),
});
