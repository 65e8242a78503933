import { useMemo } from 'react';
import { billingStatusIn } from '../billing-status.tsx';
import type { RedemptionOrder, RedemptionsQueryVariables } from '../documents.ts';
import { useFilter } from '../use-filter.ts';

export type RedemptionFilter = Omit<RedemptionsQueryVariables, 'page'>;

const dayMs = 86_400_000;

/** When a sponsorship ends; what ends soon is listed in the order in which it ends. */
export const endOptions = [
  { value: '', label: 'At any time' },
  { value: '30', label: 'Within 30 days' },
  { value: '60', label: 'Within 60 days' },
  { value: '90', label: 'Within 90 days' },
  { value: 'ended', label: 'Has ended' },
] as const;

function endsOf(ends: string | undefined): {
  endsFrom: string | null;
  endsBefore: string | null;
  order: RedemptionOrder;
} {
  const now = new Date().toISOString();
  if (ends === 'ended') return { endsFrom: null, endsBefore: now, order: 'NEWEST' };
  if (!ends || !endOptions.some(({ value }) => value === ends))
    return { endsFrom: null, endsBefore: null, order: 'NEWEST' };
  return {
    endsFrom: now,
    endsBefore: new Date(Date.now() + Number(ends) * dayMs).toISOString(),
    order: 'FIRST_TO_END',
  };
}

/** What the list of redemptions is narrowed to, by the address. */
export function useRedemptionFilter() {
  const {
    filter: asked,
    page,
    set,
    setPage,
  } = useFilter(['search', 'campaign', 'link', 'status', 'ends']);
  const { search, campaign, link, status, ends } = asked;
  // The present moves on; the question must not be another one with each look at it.
  const filter = useMemo<RedemptionFilter>(
    () => ({
      search: search ?? null,
      campaignId: campaign ?? null,
      linkId: link ?? null,
      billingStatus: billingStatusIn(status) ?? null,
      ...endsOf(ends),
    }),
    [search, campaign, link, status, ends],
  );
  return {
    filter,
    asked,
    page,
    set,
    setPage,
    isNarrowed: Boolean(search || campaign || link || status || ends),
  };
}
