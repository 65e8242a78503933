import type { AnyVariables, DocumentInput } from '@urql/core';
import { useCallback, useEffect, useMemo } from 'react';
import { useQuery } from 'urql';
import { type Fault, faultOf } from './fault.ts';

export type Answer<Data> = {
  data: Data | undefined;
  fault: Fault | undefined;
  loading: boolean;
  again: () => void;
};

type Options = {
  pause?: boolean;
  /** Asks again after this time, while the page is in view. */
  refreshMs?: number | undefined;
  /**
   * The types of a list that may be empty: where one of them is changed, the list is asked for
   * again.
   */
  holds?: string[];
};

/** Asks the graph. What was answered stays while it is asked again. */
export function useAnswer<Data, Variables extends AnyVariables>(
  document: DocumentInput<Data, Variables>,
  variables: Variables,
  { pause = false, refreshMs, holds }: Options = {},
): Answer<Data> {
  const held = holds?.join();
  const context = useMemo(
    () => ({
      requestPolicy: 'cache-and-network' as const,
      ...(held ? { additionalTypenames: held.split(',') } : {}),
    }),
    [held],
  );
  const [{ data, error, fetching }, ask] = useQuery({ query: document, variables, pause, context });
  const again = useCallback(() => ask({ requestPolicy: 'network-only' }), [ask]);
  useEffect(() => {
    if (pause || refreshMs === undefined) return undefined;
    const timer = setInterval(() => isInView() && again(), refreshMs);
    return () => clearInterval(timer);
  }, [pause, refreshMs, again]);
  return { data, fault: error && faultOf(error), loading: fetching, again };
}

const isInView = () => globalThis.document.visibilityState === 'visible';
