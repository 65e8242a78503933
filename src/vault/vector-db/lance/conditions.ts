import type { PassageRange } from '../passage-store.ts';

/**
 * The generations that a search may see: only those in `allowed`; or all up to `lastGeneration` that
 * are not in `hidden`; or all.
 */
export type GenerationFilter =
  | { allowed: readonly number[] }
  | { hidden: readonly number[]; lastGeneration: number }
  | 'everything';
export const rangeCondition = (range: PassageRange): string =>
  'from' in range
    ? `ordinal >= ${range.from} AND ordinal < ${range.from + range.limit}`
    : `start < ${range.end} AND \`end\` > ${range.start}`;

/** A filter in SQL. It contains only numbers, so it needs no escaping. */
export function filterCondition(filter: Exclude<GenerationFilter, 'everything'>): string {
  if ('allowed' in filter) return generationCondition(filter.allowed);
  const visible = `generation <= ${filter.lastGeneration}`;
  return filter.hidden.length === 0
    ? visible
    : `${visible} AND NOT (${generationCondition(filter.hidden)})`;
}

/**
 * A condition for generations, with ranges for consecutive numbers: thousands of documents that were
 * moved together have consecutive generations and need only a few ranges.
 */
function generationCondition(generations: readonly number[]): string {
  const ranges: [number, number][] = [];
  for (const generation of generations.toSorted((a, b) => a - b)) {
    const range = ranges.at(-1);
    if (range && generation <= range[1] + 1) range[1] = generation;
    else ranges.push([generation, generation]);
  }
  const singles = ranges.flatMap(([from, to]) => (from === to ? [from] : []));
  const multiples = ranges.flatMap(([from, to]) =>
    from === to ? [] : [`(generation >= ${from} AND generation <= ${to})`],
  );
  return (
    [...(singles.length > 0 ? [`generation IN (${singles.join(', ')})`] : []), ...multiples].join(
      ' OR ',
    ) || 'false'
  );
}
