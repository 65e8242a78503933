import { queryUncached } from '../../graph/client.ts';
import type { ApiFault } from '../../graph/fault.ts';
import { ExportRedemptionsDocument, type ExportRedemptionsQuery } from '../documents.ts';
import type { RedemptionFilter } from './use-redemption-filter.ts';

export type ExportedRedemption = ExportRedemptionsQuery['redemptions']['items'][number];

type ReadRedemptionsInput = {
  filter: RedemptionFilter;
  signal: AbortSignal;
  /** Called with each page; returns false to stop. */
  onPage: (rows: readonly ExportedRedemption[], total: number) => boolean;
};

// A person may send 600 requests per minute. After 100 pages the export slows down, to leave
// requests for other pages. When it is rate limited nevertheless, it waits and continues.
const unthrottledPages = 100;
const pageIntervalMs = 125;
const rateLimitPauseMs = 5_000;
const rateLimitPausesMax = 20;

/**
 * Reads all redemptions that match a filter, page by page. Resolves with the error when it had to
 * stop early.
 */
export async function readRedemptions({
  filter,
  signal,
  onPage,
}: ReadRedemptionsInput): Promise<ApiFault | undefined> {
  let after: string | null = null;
  let total: number | undefined;
  let [pages, pauses] = [0, 0];
  while (!signal.aborted) {
    const { data, fault }: Awaited<ReturnType<typeof fetchPage>> = await fetchPage(filter, after);
    if (fault) {
      if (fault.code !== 'RATE_LIMITED' || pauses === rateLimitPausesMax) return fault;
      pauses += 1;
      await sleep(rateLimitPauseMs);
      continue;
    }
    const { items } = data.redemptions;
    total ??= data.redemptions.total;
    const last = items.at(-1);
    if (!last || signal.aborted || !onPage(items, total)) return undefined;
    after = last.id;
    pauses = 0;
    pages += 1;
    if (pages > unthrottledPages) await sleep(pageIntervalMs);
  }
  return undefined;
}

const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

const fetchPage = (filter: RedemptionFilter, after: string | null) =>
  queryUncached(ExportRedemptionsDocument, { ...filter, after });
