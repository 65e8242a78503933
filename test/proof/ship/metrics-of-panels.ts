import { rows } from '../../../deploy/grafana/panels.ts';

export type Asked = { panel: string; query: string };

/**
 * Every question of the dashboard, as Prometheus is asked when Grafana has filled in its own words.
 */
export const questions = (interval: string): Asked[] =>
  rows.flatMap(({ title: row, panels }) =>
    panels.flatMap(({ title, queries }) =>
      queries.map(([, query]) => ({
        panel: `${row}: ${title}`,
        query: query.replaceAll('$__rate_interval', interval),
      })),
    ),
  );

const words = /\b(?:atrium|nodejs|process)_\w+/g;

export type Used = { name: string; labels: string[] };

/**
 * The metrics that the questions name, each with the labels that it must have; Prometheus itself
 * adds `job` and `instance`.
 */
export function metricsUsed(): Used[] {
  const used = new Map<string, Set<string>>();
  for (const { query } of questions('1m'))
    for (const name of query.match(words) ?? []) {
      const labels = used.get(name) ?? new Set();
      const selected = [...query.matchAll(new RegExp(`${name}\\{([^}]*)\\}`, 'g'))].flatMap(
        ([, inside = '']) => [...inside.matchAll(/(\w+)=/g)].map(([, label = '']) => label),
      );
      const grouped = [...query.matchAll(/by \(([\w, ]+)\)/g)].flatMap(([, inside = '']) =>
        inside.split(', '),
      );
      for (const label of [...selected, ...grouped])
        if (!['job', 'instance'].includes(label)) labels.add(label);
      used.set(name, labels);
    }
  return [...used].map(([name, labels]) => ({ name, labels: [...labels] }));
}

/**
 * Which of these an exposition lacks: a metric without a series, or none of whose series has the
 * labels.
 */
export function lacking(exposition: string, used: readonly Used[]): string[] {
  const series = exposition.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  return used.flatMap(({ name, labels }) => {
    const its = series.filter((line) => line.startsWith(`${name}{`) || line.startsWith(`${name} `));
    if (its.length === 0) return [`${name} is not exposed`];
    return labels
      .filter((label) => !its.some((line) => line.includes(`${label}="`)))
      .map((label) => `${name} has no label ${label}`);
  });
}
