import type { AnyVariables, DocumentInput } from '@urql/core';
import { useEffect, useRef, useState } from 'react';
import { openLiveStream } from './live-stream.ts';
import { lastRequest, requestOf } from './request-order.ts';

type LiveResult<Data> = {
  data: Data;
  variables: string;
  /** Data of this request and of earlier ones can be older than the result. */
  lastRequest: number;
};

const reopenMs = 10_000;

/**
 * The newest data of a query, from a stream or from a fetch. `isLive` tells whether the stream is
 * open; otherwise the query must be polled. The stream is closed while the page is hidden.
 */
export function useLiveResult<Data, Variables extends AnyVariables>(
  document: DocumentInput<Data, Variables>,
  variables: Variables,
  fetched: Data | undefined,
  { enabled, refetch }: { enabled: boolean; refetch: () => void },
): { data: Data | undefined; isLive: boolean } {
  const [isLive, setLive] = useState(false);
  const [, draw] = useState({});
  const live = useRef<LiveResult<Data>>(undefined);
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
          live.current = {
            data: data as Data,
            variables: variablesText,
            lastRequest: lastRequest(),
          };
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

  const { current } = live;
  const isLiveNewer =
    current?.variables === variablesText && requestOf(fetched) <= current.lastRequest;
  return { data: isLiveNewer ? current.data : fetched, isLive };
}
