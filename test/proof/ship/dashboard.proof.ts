import { atLeast } from '../../bench/goals.ts';
import { exactlyZero, type Proof } from '../proof.ts';
import { dashboardQueries, findMissingMetrics, requiredMetrics } from './dashboard-metrics.ts';
import { scrape, secret, startObservedServers, token } from './observed-servers.ts';
import { startPrometheus } from './prometheus.ts';

const scrapes = 4;

/**
 * Checks that all metrics and labels of the dashboard are exposed. Then a real Prometheus scrapes
 * them, and every query of a panel must return a value.
 */
export const proof: Proof = {
  claim:
    'Every panel of the Grafana dashboard shows values from the metrics that the API and the vault expose',
  long: true,
  async measure({ log }) {
    const atrium = await startObservedServers();
    try {
      await atrium.waitUntilProcessed();
      await atrium.traffic();
      await atrium.exceedLimit();
      const required = requiredMetrics();
      const exposition = (await scrape(atrium.api, token)) + (await scrape(atrium.vault, secret));
      // Only servers with several workers expose the label `worker`.
      const missing = findMissingMetrics(exposition, required).filter(
        (fault) => !fault.endsWith('has no label worker'),
      );
      for (const fault of missing) log(fault);
      const findings = [
        atLeast(20, {
          figure: 'metrics that the dashboard uses',
          value: required.length,
          unit: '',
        }),
        exactlyZero('of those, not exposed or without a required label', missing.length),
      ];

      const prometheus = await startPrometheus({
        api: { address: atrium.api, bearer: token },
        vault: { address: atrium.vault, bearer: secret },
      });
      const figure = 'panel queries without a value in a real Prometheus';
      if (prometheus === undefined)
        return [...findings, { figure, skipped: 'prometheus is not installed' }];
      try {
        for (let scrapeCount = 0; scrapeCount < scrapes; scrapeCount += 1) {
          await atrium.traffic();
          await prometheus.nextScrape();
        }
        const queries = dashboardQueries('10s');
        const empty: string[] = [];
        for (const { panel, query } of queries)
          if ((await prometheus.series(query)) === 0) empty.push(`${panel} has no value: ${query}`);
        for (const fault of empty) log(fault);
        return [
          ...findings,
          { ...exactlyZero(figure, empty.length), figure: `${figure}, of ${queries.length}` },
        ];
      } finally {
        await prometheus.stop();
      }
    } finally {
      await atrium.stop();
    }
  },
};
