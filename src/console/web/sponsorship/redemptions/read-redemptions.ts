import { queryUncached } from '../../graph/client.ts';
import type { Fault } from '../../graph/fault.ts';
import { RedemptionsBehindDocument, type RedemptionsBehindQuery } from '../documents.ts';
import type { RedemptionFilter } from './use-redemption-filter.ts';

export type WholeRedemption = RedemptionsBehindQuery['redemptions']['items'][number];

type Walk = {
  filter: RedemptionFilter;
  signal: AbortSignal;
  /** Is told after each page; answers false where that is enough. */
  onPage: (rows: readonly WholeRedemption[], total: number) => boolean;
};

// A person may ask 600 times a minute. A long walk leaves some of that to the other pages, and
// where it is stopped nevertheless it goes on when the minute has passed.
const quickPages = 100;
const paceMs = 125;
const pauseMs = 5_000;
const pausesMax = 20;

/**
 * Walks through everything that a filter finds, each once, a page behind the other. Answers why it
 * could not go on, if so.
 */
export async function readRedemptions({
  filter,
  signal,
  onPage,
}: Walk): Promise<Fault | undefined> {
  let after: string | null = null;
  let total: number | undefined;
  let [pages, pauses] = [0, 0];
  while (!signal.aborted) {
    const { data, fault }: Awaited<ReturnType<typeof askBehind>> = await askBehind(filter, after);
    if (fault) {
      if (fault.code !== 'RATE_LIMITED' || pauses === pausesMax) return fault;
      pauses += 1;
      await passing(pauseMs);
      continue;
    }
    const { items } = data.redemptions;
    total ??= data.redemptions.total;
    const last = items.at(-1);
    if (!last || signal.aborted || !onPage(items, total)) return undefined;
    after = last.id;
    pauses = 0;
    pages += 1;
    if (pages > quickPages) await passing(paceMs);
  }
  return undefined;
}

const passing = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

const askBehind = (filter: RedemptionFilter, after: string | null) =>
  queryUncached(RedemptionsBehindDocument, { ...filter, after });
