import type { Clock } from '../../platform/clock.ts';
import type { Log } from '../../platform/log.ts';
import type { VaultConfig } from '../config.ts';
import { createHistory, type Measurements } from './history.ts';
import { createSampler, type TimedSample } from './sampler.ts';
import { sampleStorage } from './storage.ts';
import { createSystemProbe } from './system.ts';
import { createVectorDbWatch } from './watch-vector-db.ts';

export type Monitoring = ReturnType<typeof createMonitoring>;

type MonitoringOptions = {
  settings: Pick<
    VaultConfig['logging'],
    'systemMonitoringInterval' | 'storageMonitoringInterval' | 'databaseMonitoringInterval'
  >;
  vectorDbUrl: string;
  vectorDbSecret: string;
  /** Directories whose disks hold data. */
  dataPaths: readonly string[];
  clock: Clock;
  log: Log;
};

/**
 * Takes samples in the background, each kind at its interval, so that reading them is cheap.
 */
export function createMonitoring({
  settings,
  vectorDbUrl,
  vectorDbSecret,
  dataPaths,
  clock,
  log,
}: MonitoringOptions) {
  const intervals = {
    system: settings.systemMonitoringInterval,
    storage: settings.storageMonitoringInterval,
    database: settings.databaseMonitoringInterval,
  };
  const watch = createVectorDbWatch({ url: vectorDbUrl, secret: vectorDbSecret, log });
  const probe = intervals.system > 0 ? createSystemProbe() : undefined;
  const history = createHistory({ intervals: Object.values(intervals), clock });
  const recordSample = async <Sample>(
    pendingSample: Promise<Sample>,
    measurementsOf: (sample: Sample) => Measurements,
  ): Promise<Sample> => {
    const sample = await pendingSample;
    history.record(measurementsOf(sample));
    return sample;
  };
  const sampleSystem = async () =>
    probe &&
    recordSample(probe.sample(), ({ cpu, memory, process: { eventLoopDelayMs, rssBytes } }) => ({
      ...{
        cpuPercent: cpu.usagePercent,
        memoryPercent: memory.usagePercent,
        eventLoopDelayMs,
        rssBytes,
      },
    }));
  // The history has one value for all disks: that of the fullest.
  const sampleDisks = () =>
    recordSample(sampleStorage(dataPaths), (disks) => ({
      storagePercent:
        disks.length > 0 ? Math.max(...disks.map(({ usagePercent }) => usagePercent)) : null,
    }));
  const sampleDatabase = () =>
    recordSample(watch.sample(), ({ latencyMs, documentCount }) => ({
      databaseLatencyMs: latencyMs,
      documentCount,
    }));
  const samplers = {
    system: createSampler({ intervalSeconds: intervals.system, take: sampleSystem, clock, log }),
    storage: createSampler({ intervalSeconds: intervals.storage, take: sampleDisks, clock, log }),
    database: createSampler({
      intervalSeconds: intervals.database,
      take: sampleDatabase,
      clock,
      log,
    }),
  };

  const ageOf = (sample: TimedSample<unknown> | null) =>
    sample && {
      sampledAt: sample.sampledAt.toISOString(),
      ageSeconds: Math.max(0, Math.round((clock().getTime() - sample.sampledAt.getTime()) / 1000)),
    };

  return {
    isOn: Object.values(intervals).some((seconds) => seconds > 0),
    /** In seconds; 0 means off. */
    intervals,
    vectorDb: watch.reachability,
    /** The samples of the last day. */
    history,
    isHealthy: async () => (await watch.reachability()).status === 'healthy',
    /** The latest samples and their age; null for monitoring that is switched off. */
    async measurements() {
      const [system, storage, database] = await Promise.all([
        samplers.system.last(),
        samplers.storage.last(),
        samplers.database.last(),
      ]);
      return {
        measurements: {
          cpu: system?.value?.cpu ?? null,
          memory: system?.value?.memory ?? null,
          storage: storage?.value ?? null,
          database: database?.value ?? null,
          process: system?.value?.process ?? null,
        },
        samples: { system: ageOf(system), storage: ageOf(storage), database: ageOf(database) },
      };
    },
    close() {
      for (const sampler of Object.values(samplers)) sampler.close();
      probe?.close();
    },
  };
}
