import type { VaultClient } from '../../vault/client.ts';

type SearchInput = Parameters<VaultClient['search']>[0];
type SearchResult = Awaited<ReturnType<VaultClient['search']>>;

type SharedSearch = {
  result: Promise<SearchResult>;
  /** The callers that still wait for the result. */
  callers: number;
  /** Aborted when all callers have given up. */
  abandoned: AbortController;
  /** Whether a caller has got the tokens of the embedding, which were used once. */
  areTokensCounted: boolean;
};

/** Sends a search, and calls `sending` just before. */
type Send = (input: SearchInput, sending: () => void) => Promise<SearchResult>;

/**
 * Searches of an organization that ask the same share one call while it waits for its turn. Once it
 * is sent nobody joins it: it may not find what was stored since, and a later caller may know that
 * it was stored.
 */
export function createSharedSearches() {
  const waitingSearches = new Map<string, SharedSearch>();

  function begin(key: string, input: SearchInput, send: Send): SharedSearch {
    const abandoned = new AbortController();
    const { promise: result, resolve, reject } = Promise.withResolvers<SearchResult>();
    const shared = { result, callers: 0, abandoned, areTokensCounted: false };
    waitingSearches.set(key, shared);
    const close = () => {
      if (waitingSearches.get(key) === shared) waitingSearches.delete(key);
    };
    abandoned.signal.addEventListener('abort', close, { once: true });
    send({ ...input, signal: abandoned.signal }, close)
      .finally(close)
      .then(resolve, reject);
    return shared;
  }

  return (
    organizationId: string,
    { signal, ...input }: SearchInput,
    send: Send,
  ): Promise<SearchResult> => {
    if (signal?.aborted) return Promise.reject(signal.reason);
    const key = JSON.stringify([organizationId, input]);
    const shared = waitingSearches.get(key) ?? begin(key, input, send);
    shared.callers += 1;
    return new Promise((resolve, reject) => {
      const abandon = () => {
        shared.callers -= 1;
        if (shared.callers === 0) shared.abandoned.abort(signal?.reason);
        reject(signal?.reason);
      };
      signal?.addEventListener('abort', abandon, { once: true });
      shared.result
        .then((result) => {
          if (signal?.aborted) return;
          resolve(shared.areTokensCounted ? withoutTokens(result) : result);
          shared.areTokensCounted = true;
        }, reject)
        .finally(() => signal?.removeEventListener('abort', abandon));
    });
  };
}

const withoutTokens = ({ embedding, ...result }: SearchResult): SearchResult => ({
  ...result,
  ...(embedding && { embedding: { ...embedding, tokens: 0 } }),
});
