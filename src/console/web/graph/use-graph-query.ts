import type { AnyVariables, DocumentInput } from '@urql/core';
import { useCallback, useEffect, useMemo } from 'react';
import { useQuery } from 'urql';
import { type ApiFault, faultOf } from './fault.ts';

export type GraphQueryResult<Data> = {
  data: Data | undefined;
  fault: ApiFault | undefined;
  loading: boolean;
  refetch: () => void;
};

type GraphQueryOptions = {
  pause?: boolean;
  /** Fetches again at this interval while the page is visible. */
  refreshMs?: number | undefined;
  /**
   * Type names of the result's lists. An empty list contains no type names, so the cache could not
   * tell that a mutation changed it.
   */
  typenames?: string[];
};

/** Runs a GraphQL query. The previous data stay visible while the query is fetched again. */
export function useGraphQuery<Data, Variables extends AnyVariables>(
  document: DocumentInput<Data, Variables>,
  variables: Variables,
  { pause = false, refreshMs, typenames }: GraphQueryOptions = {},
): GraphQueryResult<Data> {
  const additionalTypes = typenames?.join();
  const context = useMemo(
    () => ({
      requestPolicy: 'cache-and-network' as const,
      ...(additionalTypes ? { additionalTypenames: additionalTypes.split(',') } : {}),
    }),
    [additionalTypes],
  );
  const [{ data, error, fetching }, execute] = useQuery({
    query: document,
    variables,
    pause,
    context,
  });
  const refetch = useCallback(() => execute({ requestPolicy: 'network-only' }), [execute]);
  useEffect(() => {
    if (pause || refreshMs === undefined) return undefined;
    const timer = setInterval(() => isPageVisible() && refetch(), refreshMs);
    return () => clearInterval(timer);
  }, [pause, refreshMs, refetch]);
  return { data, fault: error && faultOf(error), loading: fetching, refetch };
}

const isPageVisible = () => globalThis.document.visibilityState === 'visible';
