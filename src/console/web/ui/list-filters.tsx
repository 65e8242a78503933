import type { ReactNode } from 'react';
import type { GraphQueryResult } from '../graph/use-graph.ts';

type ListFiltersProps = {
  answer: GraphQueryResult<{ totalCount: number }>;
  /** Whether the list shows only a part. */
  isFiltered: boolean;
  children: ReactNode;
};

/** The search and the filters of a list. An empty list has none, because there is nothing to find. */
export function ListFilters({ answer, isFiltered, children }: ListFiltersProps) {
  if (answer.data?.totalCount === 0 && !isFiltered) return null;
  return <search className="toolbar">{children}</search>;
}
