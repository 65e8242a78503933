import { atLeast } from '../../bench/goals.ts';
import { none, type Proof } from '../proof.ts';
import { lacking, metricsUsed, questions } from './metrics-of-panels.ts';
import { openPrometheus } from './prometheus.ts';
import { scrape, secret, token, watchedAtrium } from './watched-atrium.ts';

const scrapes = 4;

/**
 * First the names and labels are looked for; then a real Prometheus scrapes, and each panel must
 * have something to show.
 */
export const proof: Proof = {
  claim:
    'each panel of the Grafana dashboard has figures, from what the API and the vault really expose',
  long: true,
  async attempt({ say }) {
    const atrium = await watchedAtrium();
    try {
      await atrium.settled();
      await atrium.traffic();
      await atrium.tooMuch();
      const used = metricsUsed();
      const exposed = (await scrape(atrium.api, token)) + (await scrape(atrium.vault, secret));
      // A label that only workers have; where there is one process no series has it.
      const missing = lacking(exposed, used).filter(
        (fault) => !fault.endsWith('has no label worker'),
      );
      for (const fault of missing) say(fault);
      const findings = [
        atLeast(20, {
          figure: 'metrics that the dashboard asks for',
          value: used.length,
          unit: '',
        }),
        none('of them not exposed, or without a label', missing.length),
      ];

      const prometheus = await openPrometheus({
        api: { address: atrium.api, bearer: token },
        vault: { address: atrium.vault, bearer: secret },
      });
      const figure = 'panels without a figure in a real Prometheus';
      if (prometheus === undefined)
        return [...findings, { figure, leftOut: 'there is no prometheus on this machine' }];
      try {
        for (let done = 0; done < scrapes; done += 1) {
          await atrium.traffic();
          await prometheus.nextScrape();
        }
        const asked = questions('10s');
        const empty: string[] = [];
        for (const { panel, query } of asked)
          if ((await prometheus.series(query)) === 0)
            empty.push(`${panel} shows nothing: ${query}`);
        for (const fault of empty) say(fault);
        return [
          ...findings,
          { ...none(figure, empty.length), figure: `${figure}, of ${asked.length} questions` },
        ];
      } finally {
        await prometheus.stop();
      }
    } finally {
      await atrium.stop();
    }
  },
};
