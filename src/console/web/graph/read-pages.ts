import type { queryUncached } from './client.ts';
import type { ApiFault } from './fault.ts';

export type ReadRows<Row> = {
  signal: AbortSignal;
  /** Called with the rows of each page; returns false to stop. */
  onPage: (rows: readonly Row[], total: number) => boolean;
};

type PagePosition = { hasNextPage: boolean; endCursor: string | null };

type ReadPagesInput<Data> = Pick<ReadRows<unknown>, 'signal'> & {
  /** Fetches the page of 100 rows after this cursor. */
  fetchPage: (cursor: string | null) => ReturnType<typeof queryUncached<Data, object>>;
  /** Takes the rows of a page, and returns its position; undefined to stop. */
  onPage: (data: Data) => PagePosition | undefined;
};

// A person may send 600 requests per minute. After 100 pages the reading slows down, to leave
// requests for other pages. When it is rate limited nevertheless, it waits and continues.
const unthrottledPages = 100;
const pageIntervalMs = 125;
const rateLimitPauseMs = 5_000;
const rateLimitPausesMax = 20;

/** Reads a list page by page. Resolves with the error when it had to stop early. */
export async function readPages<Data>({
  signal,
  fetchPage,
  onPage,
}: ReadPagesInput<Data>): Promise<ApiFault | undefined> {
  let cursor: string | null = null;
  let [pages, pauses] = [0, 0];
  while (!signal.aborted) {
    const { data, fault }: Awaited<ReturnType<typeof fetchPage>> = await fetchPage(cursor);
    if (signal.aborted) return undefined;
    if (fault) {
      if (fault.code !== 'RATE_LIMITED' || pauses === rateLimitPausesMax) return fault;
      pauses += 1;
      await pause(rateLimitPauseMs, signal);
      continue;
    }
    const position: PagePosition | undefined = onPage(data);
    if (!position?.hasNextPage) return undefined;
    cursor = position.endCursor;
    pauses = 0;
    pages += 1;
    if (pages > unthrottledPages) await pause(pageIntervalMs, signal);
  }
  return undefined;
}

const pause = (ms: number, signal: AbortSignal) =>
  new Promise<void>((resolve) => {
    const timer = setTimeout(resolve, ms);
    signal.addEventListener('abort', () => {
      clearTimeout(timer);
      resolve();
    });
  });
