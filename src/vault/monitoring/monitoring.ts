import type { Clock } from '../../platform/clock.ts';
import type { Log } from '../../platform/log.ts';
import type { VaultConfig } from '../config.ts';
import { createHistory, type Figures } from './history.ts';
import { createSampler, type Sampled } from './sampler.ts';
import { sampleStorage } from './storage.ts';
import { createSystemProbe } from './system.ts';
import { createVectorDbWatch } from './watch-vector-db.ts';

export type Monitoring = ReturnType<typeof createMonitoring>;

type MonitoringParts = {
  settings: Pick<
    VaultConfig['logging'],
    'systemMonitoringInterval' | 'storageMonitoringInterval' | 'databaseMonitoringInterval'
  >;
  vectorDbUrl: string;
  /** Directories whose disks hold data. */
  dataPaths: readonly string[];
  clock: Clock;
  log: Log;
};

/**
 * Takes figures in the background, each kind on its interval, so that asking for them costs
 * nothing.
 */
export function createMonitoring({
  settings,
  vectorDbUrl,
  dataPaths,
  clock,
  log,
}: MonitoringParts) {
  const intervals = {
    system: settings.systemMonitoringInterval,
    storage: settings.storageMonitoringInterval,
    database: settings.databaseMonitoringInterval,
  };
  const watch = createVectorDbWatch(vectorDbUrl);
  const probe = intervals.system > 0 ? createSystemProbe() : undefined;
  const history = createHistory({ intervals: Object.values(intervals), clock });
  const noting = async <Sample>(
    taken: Promise<Sample>,
    figuresOf: (sample: Sample) => Figures,
  ): Promise<Sample> => {
    const sample = await taken;
    history.note(figuresOf(sample));
    return sample;
  };
  const takeSystem = async () =>
    probe &&
    noting(probe.sample(), ({ cpu, memory, process: { eventLoopDelayMs, rssBytes } }) => ({
      ...{
        cpuPercent: cpu.usagePercent,
        memoryPercent: memory.usagePercent,
        eventLoopDelayMs,
        rssBytes,
      },
    }));
  // The fullest disk is the one that matters.
  const takeStorage = () =>
    noting(sampleStorage(dataPaths), (disks) => ({
      storagePercent:
        disks.length > 0 ? Math.max(...disks.map(({ usagePercent }) => usagePercent)) : null,
    }));
  const takeDatabase = () =>
    noting(watch.sample(), ({ latencyMs, documentCount }) => ({
      databaseLatencyMs: latencyMs,
      documentCount,
    }));
  const samplers = {
    system: createSampler({ intervalSeconds: intervals.system, take: takeSystem, clock, log }),
    storage: createSampler({ intervalSeconds: intervals.storage, take: takeStorage, clock, log }),
    database: createSampler({
      intervalSeconds: intervals.database,
      take: takeDatabase,
      clock,
      log,
    }),
  };

  const age = (sample: Sampled<unknown> | null) =>
    sample && {
      sampledAt: sample.sampledAt.toISOString(),
      ageSeconds: Math.max(0, Math.round((clock().getTime() - sample.sampledAt.getTime()) / 1000)),
    };

  return {
    on: Object.values(intervals).some((seconds) => seconds > 0),
    /** In seconds; 0 is off. */
    intervals,
    vectorDb: watch.reachability,
    /** Figures of the last day, which grow with the samples. */
    history,
    isHealthy: async () => (await watch.reachability()).status === 'healthy',
    /** The last samples and how old they are; null what is switched off. */
    async figures() {
      const [system, storage, database] = await Promise.all([
        samplers.system.last(),
        samplers.storage.last(),
        samplers.database.last(),
      ]);
      return {
        figures: {
          cpu: system?.value?.cpu ?? null,
          memory: system?.value?.memory ?? null,
          storage: storage?.value ?? null,
          database: database?.value ?? null,
          process: system?.value?.process ?? null,
        },
        samples: { system: age(system), storage: age(storage), database: age(database) },
      };
    },
    close() {
      for (const sampler of Object.values(samplers)) sampler.close();
      probe?.close();
    },
  };
}
