import type { ReactNode } from 'react';
import type { GraphQueryResult } from '../graph/use-graph-query.ts';
import { FaultNote } from './fault-note.tsx';
import { Loading } from './loading.tsx';

type LoadedProps<Data> = {
  answer: GraphQueryResult<Data>;
  lines?: number;
  children: (data: Data) => ReactNode;
};

/**
 * Shows the result of a query: a placeholder while it loads, the error when it failed, or the data.
 * The data stay visible while the query is fetched again.
 */
export function Loaded<Data>({
  answer: { data, fault, refetch },
  lines = 4,
  children,
}: LoadedProps<Data>) {
  if (data !== undefined && data !== null) {
    return (
      <>
        {fault && <FaultNote fault={fault} onRetry={refetch} />}
        {children(data)}
      </>
    );
  }
  return fault ? <FaultNote fault={fault} onRetry={refetch} /> : <Loading lines={lines} />;
}
