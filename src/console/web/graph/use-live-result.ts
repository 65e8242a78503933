import type { AnyVariables, DocumentInput } from '@urql/core';
import { useEffect, useRef, useState } from 'react';
import { openLiveStream } from './live-stream.ts';

type FetchedResult<Data> = { data: Data | undefined; fetching: boolean };

type LiveResult<Data> = {
  data: Data;
  /** What was fetched when the result arrived: whatever is fetched later is newer. */
  fetched: Data | undefined;
  /** The fetch in progress can have begun before the change of this result. */
  replacesNextFetch: boolean;
};

const reopenMs = 10_000;

/**
 * The newest data of a query, from a stream or from a fetch. `isLive` tells whether the stream is
 * open; otherwise the query must be polled. The stream is closed while the page is hidden.
 */
export function useLiveResult<Data, Variables extends AnyVariables>(
  document: DocumentInput<Data, Variables>,
  variables: Variables,
  result: FetchedResult<Data>,
  { enabled, refetch }: { enabled: boolean; refetch: () => void },
): { data: Data | undefined; isLive: boolean } {
  const [isLive, setLive] = useState(false);
  const [, draw] = useState({});
  const live = useRef<LiveResult<Data>>(undefined);
  const latest = useRef(result);
  latest.current = result;
  const variablesText = JSON.stringify(variables ?? {});

  useEffect(() => {
    if (!enabled) return undefined;
    let close: (() => void) | undefined;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const open = () => {
      clearTimeout(timer);
      if (close || globalThis.document.visibilityState !== 'visible') return;
      close = openLiveStream(document, variablesText, {
        onResult(data) {
          setLive(true);
          // The page shows faults of fetches.
          if (data === undefined) return refetch();
          const { data: fetched, fetching } = latest.current;
          live.current = { data: data as Data, fetched, replacesNextFetch: fetching };
          draw({});
        },
        onEnd() {
          close = undefined;
          setLive(false);
          timer = setTimeout(open, reopenMs);
        },
      });
      if (!close) timer = setTimeout(open, reopenMs);
    };
    const end = () => {
      clearTimeout(timer);
      close?.();
      close = undefined;
      setLive(false);
    };
    const onVisibility = () => (globalThis.document.visibilityState === 'visible' ? open() : end());
    open();
    globalThis.document.addEventListener('visibilitychange', onVisibility);
    return () => {
      globalThis.document.removeEventListener('visibilitychange', onVisibility);
      end();
      live.current = undefined;
    };
  }, [enabled, document, variablesText, refetch]);

  return { data: newest(live, result.data), isLive };
}

function newest<Data>(
  live: { current: LiveResult<Data> | undefined },
  fetched: Data | undefined,
): Data | undefined {
  const { current } = live;
  if (!current) return fetched;
  if (current.fetched === fetched) return current.data;
  if (!current.replacesNextFetch) {
    live.current = undefined;
    return fetched;
  }
  live.current = { ...current, fetched, replacesNextFetch: false };
  return current.data;
}
