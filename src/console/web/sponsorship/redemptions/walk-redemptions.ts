import { askOnce } from '../../graph/client.ts';
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

// A person may ask 600 times a minute: whoever is stopped there goes on when the minute has passed.
const pauseMs = 5_000;
const pausesMax = 20;

/** Walks through everything that a filter finds, each once, a page behind the other. Answers why it could not go on, if so. */
export async function walkRedemptions({ filter, signal, onPage }: Walk): Promise<Fault | undefined> {
  let after: string | null = null;
  let total: number | undefined;
  for (let pauses = 0; !signal.aborted; ) {
    const { data, fault }: Awaited<ReturnType<typeof askBehind>> = await askBehind(filter, after);
    if (fault) {
      if (fault.code !== 'RATE_LIMITED' || pauses === pausesMax) return fault;
      pauses += 1;
      await new Promise((resolve) => setTimeout(resolve, pauseMs));
      continue;
    }
    const { items } = data.redemptions;
    total ??= data.redemptions.total;
    const last = items.at(-1);
    if (!last || signal.aborted || !onPage(items, total)) return undefined;
    after = last.id;
  }
  return undefined;
}

const askBehind = (filter: RedemptionFilter, after: string | null) => askOnce(RedemptionsBehindDocument, { ...filter, after });
