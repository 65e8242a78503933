import { rows } from '../../../deploy/grafana/panels.ts';

export type PanelQuery = { panel: string; query: string };

/** Every query of the dashboard, with the variables that Grafana would fill in. */
export const dashboardQueries = (interval: string): PanelQuery[] =>
  rows.flatMap(({ title: row, panels }) =>
    panels.flatMap(({ title, queries }) =>
      queries.map(([, query]) => ({
        panel: `${row}: ${title}`,
        query: query.replaceAll('$__rate_interval', interval),
      })),
    ),
  );

const metricNames = /\b(?:atrium|nodejs|process)_\w+/g;

export type RequiredMetric = { name: string; labels: string[] };

/**
 * The metrics of all queries, each with the labels it must have. `job` and `instance` are left out,
 * because Prometheus adds them.
 */
export function requiredMetrics(): RequiredMetric[] {
  const required = new Map<string, Set<string>>();
  for (const { query } of dashboardQueries('1m'))
    for (const name of query.match(metricNames) ?? []) {
      const labels = required.get(name) ?? new Set();
      const selected = [...query.matchAll(new RegExp(`${name}\\{([^}]*)\\}`, 'g'))].flatMap(
        ([, names = '']) => [...names.matchAll(/(\w+)=/g)].map(([, label = '']) => label),
      );
      const grouped = [...query.matchAll(/by \(([\w, ]+)\)/g)].flatMap(([, names = '']) =>
        names.split(', '),
      );
      for (const label of [...selected, ...grouped])
        if (!['job', 'instance'].includes(label)) labels.add(label);
      required.set(name, labels);
    }
  return [...required].map(([name, labels]) => ({ name, labels: [...labels] }));
}

/** The metrics that an exposition lacks, and the labels that no series of a metric has. */
export function findMissingMetrics(
  exposition: string,
  required: readonly RequiredMetric[],
): string[] {
  const series = exposition.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  return required.flatMap(({ name, labels }) => {
    const ownSeries = series.filter(
      (line) => line.startsWith(`${name}{`) || line.startsWith(`${name} `),
    );
    if (ownSeries.length === 0) return [`${name} is not exposed`];
    return labels
      .filter((label) => !ownSeries.some((line) => line.includes(`${label}="`)))
      .map((label) => `${name} has no label ${label}`);
  });
}
